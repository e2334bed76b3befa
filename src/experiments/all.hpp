// The table of all experiments, in the order in which help, list, schema and site show them.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "evidence/experiment.hpp"

namespace rmsnorm::experiments {

/// What an experiment can do beyond the rest.
enum class Kind {
    standard,
    rows,      // its pass is known a row at a time, so that any file passes in blocks
    dialogue,  // it asks before it shows
    variant,   // reached by another's `--fixture`, and no subcommand of its own
};

struct Entry {
    std::string_view group;  // the heading under which the help lists it
    std::string_view name;   // of the subcommand and in its documents
    std::string_view summary;
    std::string_view example;  // arguments after the program's name
    std::unique_ptr<Experiment> (*make)();
    std::string_view tensor = {};  // of the results: what a .npy file holds
    Kind kind = Kind::standard;
};

std::span<const Entry> all();

/// Null when there is no such experiment.
const Entry* named(std::string_view name);

/// The experiment with more inputs that takes this one's place where the input of its name is
/// given: `recipe` for `forward`. Null where there is none.
const Entry* refinement(const Entry& entry);

}  // namespace rmsnorm::experiments
