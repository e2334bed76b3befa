// Numbers with 256 binary places, for the accurate phases of the elementary functions.
#pragma once

#include <array>
#include <cstdint>

namespace rmsnorm::numeric {

/// Two's complement with 32 bits before the binary point and 256 after it, least significant limb
/// first: 64-bit products of 32-bit limbs are all that a target needs. One unit is 2^-256. Nothing
/// checks for overflow; every caller shows why its numbers stay below 2^31.
struct FixedPoint {
    static constexpr int fraction_bits = 256;
    std::array<std::uint32_t, 9> limbs{};

    friend constexpr bool operator==(const FixedPoint&, const FixedPoint&) = default;
};

/// A finite number of magnitude below 2^31. Bits below one unit are dropped, towards zero.
FixedPoint fixed_point(double value);

bool is_negative(const FixedPoint& value);
FixedPoint negated(const FixedPoint& value);

/// Exact.
FixedPoint sum(const FixedPoint& a, const FixedPoint& b);
FixedPoint difference(const FixedPoint& a, const FixedPoint& b);

/// The product, not larger than the exact one in magnitude and off by less than nine units.
FixedPoint product(const FixedPoint& a, const FixedPoint& b);

/// The quotient cut off towards zero: off by less than one unit.
FixedPoint quotient(const FixedPoint& value, std::uint32_t divisor);

/// `value` times 2^`exponent`, cut off towards zero when the exponent is negative.
FixedPoint scaled(const FixedPoint& value, int exponent);

/// The binary64 number nearest to `value` times 2^`exponent`, ties to even: rounded once, also
/// where the result is subnormal, zero or infinite.
double to_binary64(const FixedPoint& value, int exponent = 0);

}  // namespace rmsnorm::numeric
