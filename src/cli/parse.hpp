// The words of a command line, handed to the options that they name.
#pragma once

#include <string>
#include <vector>

#include "cli/option.hpp"

namespace rmsnorm::cli {

/// Whether the words asked for help or the version instead of a run.
enum class Parsed { run, help, version };

/// Gives every option its values from `words`. Throws InputError: an unknown option
/// (with the nearest known one), a missing value, a flag's value,
/// a value too many, an option given twice.
Parsed parse(const std::string& command, std::vector<Option>& options,
             const std::vector<std::string>& words);

/// The candidate that is at most two edits from `word` and nearest to it; empty when none is.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace rmsnorm::cli
