// What --help and --version print.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace rmsnorm::cli {

std::string general_help();
std::string command_help(const Command& command, const std::vector<Option>& options);
std::string version_line();

}  // namespace rmsnorm::cli
