// A subcommand: what the help says of it, what it accepts and what it does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option.hpp"
#include "report/document.hpp"

namespace rmsnorm::cli {

/// One call of a subcommand: options that write into its own state, and the run that reads it.
struct Invocation {
    std::vector<Option> options;
    std::function<int()> run;  // returns an ExitCode
    /// An experiment's document with its default values.
    std::function<report::Document()> sample;
    /// A document of another kind that some option asks for.
    std::function<report::Document()> other_sample = {};
};

struct Command {
    std::string_view group;  // the heading under which the help lists it
    std::string_view name;
    std::string_view summary;
    std::string_view example;  // arguments after the program's name
    Invocation (*prepare)();
};

}  // namespace rmsnorm::cli
