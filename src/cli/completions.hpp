// Completion of the command line in shells, written from the subcommands' options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/option.hpp"

namespace rmsnorm::cli {

/// What stands where a value is typed.
enum class Completion {
    nothing,  // numbers and names of the reader's
    choices,  // Option::choices
    files,
    folders,
    values,  // a list, or a file's name, which may stand behind an @
};

Completion completion_of(const Option& option);

/// The options of a subcommand with a name, its own and then those of all.
std::vector<Option> named_options(const std::vector<Option>& options);

/// The one without a name, or null.
const Option* argument_of(const std::vector<Option>& options);

/// In single quotes, for bash, zsh and fish alike.
std::string shell_quoted(std::string_view text);

/// The scripts, which those shells read from a folder of theirs.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace rmsnorm::cli
