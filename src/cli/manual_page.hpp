// The manual page of the program and all its subcommands, in the man macros of troff.
#pragma once

#include <string>

namespace rmsnorm::cli {

std::string manual_page();

}  // namespace rmsnorm::cli
