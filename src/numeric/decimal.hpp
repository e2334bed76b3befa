// Decimal text of binary64 numbers, written and read without rounding twice and without a locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rmsnorm::numeric {

enum class Plus { omitted, shown };

/// The exact binary value rounded half to even after `decimals` decimals (not negative):
/// `fixed(12.5, 2)` is "12.50". A number that rounds to zero keeps its sign: "-0.00". With
/// `Plus::shown` numbers without a minus sign have a plus sign, zero and infinity too. Others:
/// "NaN", "inf", "-inf".
std::string fixed(double value, int decimals, Plus plus = Plus::omitted);

/// The shortest decimal that reads back to the same bits, with ".0" on whole numbers. Magnitudes
/// below 1e-4 (but not zero) and from 1e16 on have an exponent: "1e-7", "2.5e16". Others: "NaN",
/// "inf", "-inf".
std::string shortest(double value);

/// The binary64 number nearest to `value` rounded half to even to `digits` significant decimal
/// digits (at least one): `rounded(1234.5, 3)` is 1230. Infinities and NaN stay as they are.
double rounded(double value, int digits);

/// The shortest decimal of `rounded(value, digits)`.
std::string shortest(double value, int digits);

/// The binary64 number nearest to a decimal number, ties to even. Nothing when `text` is anything
/// but one decimal number, or when its magnitude rounds past the largest finite number. A magnitude
/// too small for binary64 reads as zero, with the sign kept. A decimal number is an optional sign,
/// digits with at most one point before, among or after them, and an optional exponent: "-1.5e-3",
/// ".5", "5.", "+1E6".
std::optional<double> parse_decimal(std::string_view text);

}  // namespace rmsnorm::numeric
