#include "numeric/fixed_point.hpp"

#include <bit>
#include <cstddef>

#include "numeric/bits.hpp"

namespace rmsnorm::numeric {
namespace {

constexpr int limb_bits = 32;
constexpr std::size_t limb_count = std::tuple_size_v<decltype(FixedPoint::limbs)>;
constexpr std::size_t fraction_limbs = FixedPoint::fraction_bits / limb_bits;

FixedPoint magnitude(const FixedPoint& value) {
    return is_negative(value) ? negated(value) : value;
}

std::uint64_t limb_or_zero(const FixedPoint& value, int index) {
    const bool inside = index >= 0 && index < static_cast<int>(limb_count);
    return inside ? value.limbs[static_cast<std::size_t>(index)] : 0;
}

// The 64 bits of a magnitude from `place` on, counted from its least significant bit; zeros beyond
// both ends.
std::uint64_t window(const FixedPoint& value, int place) {
    const int first = place >> 5;
    const int offset = place & 31;
    const std::uint64_t low = limb_or_zero(value, first) | limb_or_zero(value, first + 1)
                                                               << limb_bits;
    if (offset == 0) return low;
    return low >> offset | limb_or_zero(value, first + 2) << (64 - offset);
}

bool any_bit_below(const FixedPoint& value, int place) {
    for (int at = 0; at < place; at += limb_bits) {
        std::uint64_t digits = window(value, at) & 0xffffffffU;
        if (place - at < limb_bits) digits &= (std::uint64_t{1} << (place - at)) - 1;
        if (digits != 0) return true;
    }
    return false;
}

// The place of the leading bit of a positive number.
int leading_place(const FixedPoint& value) {
    std::size_t limb = limb_count;
    while (value.limbs[limb - 1] == 0) --limb;
    return static_cast<int>(limb - 1) * limb_bits +
           static_cast<int>(std::bit_width(value.limbs[limb - 1])) - 1;
}

}  // namespace

FixedPoint fixed_point(double value) {
    const std::uint64_t pattern = bits(value);
    const auto field = static_cast<int>(pattern >> 52 & 0x7ff);
    const std::uint64_t fraction = pattern & 0xfffffffffffffU;
    const std::uint64_t whole = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;

    // `whole` units, moved to where they belong: the last place of a number is 2^(field - 1075).
    FixedPoint units;
    units.limbs[0] = static_cast<std::uint32_t>(whole);
    units.limbs[1] = static_cast<std::uint32_t>(whole >> limb_bits);
    const int last = (field == 0 ? 1 : field) - 1075;
    const FixedPoint size = scaled(units, FixedPoint::fraction_bits + last);
    return pattern >> 63 != 0 ? negated(size) : size;
}

bool is_negative(const FixedPoint& value) { return value.limbs.back() >> (limb_bits - 1) != 0; }

FixedPoint negated(const FixedPoint& value) { return difference(FixedPoint{}, value); }

FixedPoint sum(const FixedPoint& a, const FixedPoint& b) {
    FixedPoint total;
    std::uint64_t carry = 0;
    for (std::size_t limb = 0; limb < limb_count; ++limb) {
        carry += std::uint64_t{a.limbs[limb]} + b.limbs[limb];
        total.limbs[limb] = static_cast<std::uint32_t>(carry);
        carry >>= limb_bits;
    }
    return total;
}

FixedPoint difference(const FixedPoint& a, const FixedPoint& b) {
    FixedPoint total;
    std::uint64_t borrow = 0;
    for (std::size_t limb = 0; limb < limb_count; ++limb) {
        const std::uint64_t digits = std::uint64_t{a.limbs[limb]} - b.limbs[limb] - borrow;
        total.limbs[limb] = static_cast<std::uint32_t>(digits);
        borrow = digits >> 63;
    }
    return total;
}

FixedPoint product(const FixedPoint& a, const FixedPoint& b) {
    const FixedPoint x = magnitude(a);
    const FixedPoint y = magnitude(b);
    // Products of limbs that lie wholly below the last place are left out: seven of less than one
    // unit each, and smaller ones.
    std::array<std::uint32_t, 2 * limb_count> digits{};
    for (std::size_t i = 0; i < limb_count; ++i) {
        if (x.limbs[i] == 0) continue;
        std::uint64_t carry = 0;
        for (std::size_t j = i < fraction_limbs ? fraction_limbs - 1 - i : 0; j < limb_count; ++j) {
            carry += std::uint64_t{x.limbs[i]} * y.limbs[j] + digits[i + j];
            digits[i + j] = static_cast<std::uint32_t>(carry);
            carry >>= limb_bits;
        }
        digits[i + limb_count] = static_cast<std::uint32_t>(carry);
    }
    FixedPoint result;
    for (std::size_t limb = 0; limb < limb_count; ++limb) {
        result.limbs[limb] = digits[limb + fraction_limbs];
    }
    return is_negative(a) != is_negative(b) ? negated(result) : result;
}

FixedPoint quotient(const FixedPoint& value, std::uint32_t divisor) {
    FixedPoint result = magnitude(value);
    std::uint64_t remainder = 0;
    for (std::size_t limb = limb_count; limb-- > 0;) {
        remainder = remainder << limb_bits | result.limbs[limb];
        result.limbs[limb] = static_cast<std::uint32_t>(remainder / divisor);
        remainder %= divisor;
    }
    return is_negative(value) ? negated(result) : result;
}

FixedPoint scaled(const FixedPoint& value, int exponent) {
    const FixedPoint size = magnitude(value);
    FixedPoint result;
    for (std::size_t limb = 0; limb < limb_count; ++limb) {
        const int place = static_cast<int>(limb) * limb_bits - exponent;
        result.limbs[limb] = static_cast<std::uint32_t>(window(size, place));
    }
    return is_negative(value) ? negated(result) : result;
}

double to_binary64(const FixedPoint& value, int exponent) {
    if (value == FixedPoint{}) return 0;
    const FixedPoint size = magnitude(value);
    const int leading = leading_place(size);
    // The power of two of the magnitude's last place, and of the last place of the result: 52
    // below the leading one, but never below that of the subnormal numbers.
    const int last = exponent - FixedPoint::fraction_bits;
    const int unit = leading + last - 52 < -1074 ? -1074 : leading + last - 52;
    const int cut = unit - last;

    // The result has at most 53 bits above the cut, so the next bit up cannot be lost.
    std::uint64_t kept = cut > leading ? 0 : window(size, cut);
    const bool half = cut <= leading + 1 && (window(size, cut - 1) & 1) != 0;
    if (half && ((kept & 1) != 0 || any_bit_below(size, cut - 1))) ++kept;

    // Counted in units the result is its own bit pattern, but for the exponent field; the leading
    // one adds one to that field, and so does a carry out of the fraction.
    const int field = unit + 1074;
    std::uint64_t pattern = 0x7ff0000000000000U;
    if (field < 0x7ff) pattern = kept + (static_cast<std::uint64_t>(field) << 52);
    if (pattern > 0x7ff0000000000000U) pattern = 0x7ff0000000000000U;
    return binary64(pattern | (is_negative(value) ? 1ULL << 63 : 0));
}

}  // namespace rmsnorm::numeric
