// The conversions behind decimal text, in two implementations that give the same text: one by
// <charconv>, and one by the C library, for standard libraries whose <charconv> lacks binary64.
#pragma once

#include <string>
#include <string_view>
#include <version>

namespace rmsnorm::numeric {

#if defined(__cpp_lib_to_chars)
namespace by_charconv {

/// The finite `value` with `decimals` decimals, rounded half to even from its exact binary value.
std::string fixed(double value, int decimals);

/// The shortest decimal that reads back as the finite `value`, and the closest of those:
/// "-2.5e+16", "5e-324". The exponent has a sign and two digits at least.
std::string scientific(double value);

/// The same with `decimals` decimals, rounded half to even from the exact binary value.
std::string scientific(double value, int decimals);

/// The binary64 number nearest to a decimal number without a sign: infinity when it rounds past the
/// largest finite number, zero when it is too small. `text` is digits with at most one point, at
/// least one digit among them, and an optional exponent.
double nearest(std::string_view text);

}  // namespace by_charconv
#endif

/// Exact in the C libraries that the project meets (glibc, musl). They follow the locale, which
/// stays "C" in a program that never sets one.
namespace by_c_library {

std::string fixed(double value, int decimals);
std::string scientific(double value);
std::string scientific(double value, int decimals);
double nearest(std::string_view text);

}  // namespace by_c_library

#if defined(__cpp_lib_to_chars)
namespace conversion = by_charconv;
#else
namespace conversion = by_c_library;
#endif

}  // namespace rmsnorm::numeric
