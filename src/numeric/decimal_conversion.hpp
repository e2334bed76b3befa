// The conversions behind decimal text, in two implementations that give the same text: one by
// <charconv>, and one by whole numbers, for standard libraries whose <charconv> lacks binary64.
#pragma once

#include <cstdint>
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

namespace by_integers {

std::string fixed(double value, int decimals);
std::string scientific(double value);
std::string scientific(double value, int decimals);
double nearest(std::string_view text);

}  // namespace by_integers

#if defined(__cpp_lib_to_chars)
namespace conversion = by_charconv;
#else
namespace conversion = by_integers;
#endif

/// The exponent in `text`, digits behind a sign or none. It stops growing at 10^15, which outweighs
/// the digits of any text.
std::int64_t decimal_exponent(std::string_view text);

}  // namespace rmsnorm::numeric
