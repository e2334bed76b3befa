// Decimal text of binary64 numbers, written and read without rounding twice and without a locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rmsnorm::numeric {

enum class Plus { omitted, shown };

/// The exact binary value rounded half to even after `decimals` decimals: `fixed(12.5, 2)` is
/// "12.50". With `Plus::shown` a positive number and +0 carry a plus sign.
std::string fixed(double value, int decimals, Plus plus = Plus::omitted);

/// The shortest decimal that reads back to the same bits, with ".0" on whole numbers. Magnitudes
/// below 1e-5 and from 1e16 on have an exponent: "1e-7", "2.5e16". Others: "NaN", "inf", "-inf".
std::string shortest(double value);

/// The binary64 number nearest to a decimal number, ties to even. Nothing when `text` is anything
/// but one decimal number (an optional sign, digits, a point, an exponent), or when its magnitude
/// rounds past the largest finite number. A magnitude too small for binary64 reads as zero.
std::optional<double> parse_decimal(std::string_view text);

}  // namespace rmsnorm::numeric
