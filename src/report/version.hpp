// The name and version with which the program signs its documents.
#pragma once

#include <string_view>

namespace rmsnorm::report {

inline constexpr std::string_view program_name = "rmsnorm-fixture";

std::string_view program_version();

}  // namespace rmsnorm::report
