#include <cstdint>

#include "numeric/bits.hpp"
#include "numeric/elementary_phases.hpp"
#include "numeric/fixed_point.hpp"
#include "numeric/tables/ln2.hpp"

namespace rmsnorm::numeric {
namespace {

// e^x = 2^exponent significand, where the significand is in [0.7, 1.42] and off by less than one
// part in 2^242.
struct Exponential {
    FixedPoint significand;
    int exponent;
};

Exponential exponential(double x);

}  // namespace

double exp_accurate(double x) {
    const Exponential power = exponential(x);
    return to_binary64(power.significand, power.exponent);
}

// One step from the fast phase's value y: log x = y + log(1 + z), where z = x e^-y - 1. The fast
// phase is right within one part in 2^52, so |z| < 2^-51 |y| < 2^-41.
double log_accurate(double x) {
    const double y = log_fast(x).value;
    const Exponential power = exponential(-y);

    // x is a whole number times a power of two; shifting it against e^-y brings the product near 1.
    const bool subnormal = bits(x) < 0x0010000000000000U;
    const double normal = subnormal ? x * 0x1p54 : x;
    const int exponent = static_cast<int>(bits(normal) >> 52) - 1023;
    const double significand = binary64((bits(normal) & 0xfffffffffffffU) | bits(1.0));
    const FixedPoint near_one = scaled(product(fixed_point(significand), power.significand),
                                       exponent - (subnormal ? 54 : 0) + power.exponent);
    const FixedPoint z = difference(near_one, fixed_point(1));

    // log(1 + z) = z (1 - z (1/2 - z (1/3 - ...))); the terms left out are below 2^-205 |z|.
    FixedPoint series;
    for (std::uint32_t n = 5; n > 0; --n) {
        series = difference(quotient(fixed_point(1), n), product(z, series));
    }
    return to_binary64(sum(fixed_point(y), product(z, series)));
}

namespace {

Exponential exponential(double x) {
    // x = count ln 2 + r, |r| < 0.35.
    const double ratio = x * 0x1.71547652b82fep+0;  // 1 / ln 2
    const int count = static_cast<int>(ratio < 0 ? ratio - 0.5 : ratio + 0.5);
    const FixedPoint count_ln2 = product(fixed_point(count), FixedPoint{tables::ln2_limbs});
    const FixedPoint r = difference(fixed_point(x), count_ln2);

    // e^(r/256) = 1 + s (1 + s/2 (1 + s/3 (...))), s = r/256; the terms left out are below 2^-270.
    const FixedPoint one = fixed_point(1);
    const FixedPoint s = scaled(r, -8);
    FixedPoint power = one;
    for (std::uint32_t n = 21; n > 0; --n) {
        power = sum(one, quotient(product(s, power), n));
    }
    for (int squaring = 0; squaring < 8; ++squaring) power = product(power, power);
    return {power, count};
}

}  // namespace
}  // namespace rmsnorm::numeric
