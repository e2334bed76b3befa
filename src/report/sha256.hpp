// SHA-256 (FIPS 180-4).
#pragma once

#include <string>
#include <string_view>

namespace rmsnorm::report {

/// The hash of `bytes` in lower-case hexadecimal, 64 digits.
std::string sha256(std::string_view bytes);

}  // namespace rmsnorm::report
