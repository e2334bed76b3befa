// From the words of a command line to an exit code.
#pragma once

#include <string>
#include <vector>

namespace rmsnorm::cli {

/// `words` without the program's name.
int run(const std::vector<std::string>& words);

}  // namespace rmsnorm::cli
