// What --help and --version print, and what of it the manual page and the completions say too.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace rmsnorm::cli {

inline constexpr std::string_view program_summary =
    "RMSNorm experiments that check their own results and replay with the same bits.";

/// The options before a subcommand: help, version, color, manual page.
std::vector<Option> general_options();

/// Those of them that every subcommand takes behind its own.
std::vector<Option> common_options();

/// Each exit code with what it means.
std::span<const std::pair<std::string_view, std::string_view>> exit_codes();

/// An option's help with its default, in one line.
std::string option_text(const Option& option);

/// "Text." of "text".
std::string as_sentence(std::string_view text);

std::string general_help();
std::string command_help(const Command& command, const std::vector<Option>& options);
std::string version_line();

}  // namespace rmsnorm::cli
