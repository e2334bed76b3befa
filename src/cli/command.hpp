// A subcommand: what the help says of it, what it accepts and what it does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option.hpp"
#include "experiments/all.hpp"
#include "report/document.hpp"

namespace rmsnorm::cli {

/// One call of a subcommand: its options, and the run that reads what they were given.
struct Invocation {
    std::vector<Option> options;
    std::function<int(const std::vector<Option>&)> run;  // returns an ExitCode
    // A document of what is not in the table of experiments, for its schema.
    std::function<report::Document()> sample = {};
};

struct Command {
    std::string_view group;  // the heading under which the help lists it
    std::string_view name;
    std::string_view summary;
    std::string_view example;  // arguments after the program's name
    Invocation (*prepare)();   // null for an experiment's own
    const experiments::Entry* experiment = nullptr;

    Invocation prepared() const;
};

}  // namespace rmsnorm::cli
