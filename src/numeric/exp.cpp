#include <cstddef>
#include <cstdint>
#include <limits>

#include "numeric/bits.hpp"
#include "numeric/elementary.hpp"
#include "numeric/elementary_phases.hpp"
#include "numeric/tables/exp_table.hpp"

namespace rmsnorm::numeric {
namespace {

// Below this magnitude e^x is nearer to one than to any other number: 1 - 2^-54 is the midpoint.
constexpr double smallest_magnitude = 0x1p-54;

// Bounds the error of the fast phase's sum, leading + trailing.
constexpr double fast_error = 0x1.8p-65;

double exp_without_phases(double x) {
    if (x > tables::exp_largest_argument) return std::numeric_limits<double>::infinity();
    if (x < tables::exp_smallest_argument) return 0;
    return 1 + x;  // one, or a NaN
}

// The fast phase's approximation: e^x = 2^exponent (leading + trailing) within the fast error.
struct Scaled {
    int exponent;
    double leading;   // in [1, 2), a multiple of 2^-51
    double trailing;  // of magnitude below 2^-13
};

Scaled exp_scaled(double x);
FastResult round_normal(const Scaled& result);
FastResult round_subnormal(const Scaled& result);

}  // namespace

double exp(double x) {
    if (!exp_needs_phases(x)) return exp_without_phases(x);
    const FastResult fast = exp_fast(x);
    return fast.certain ? fast.value : exp_accurate(x);
}

bool exp_needs_phases(double x) {
    const bool large_enough = x >= smallest_magnitude || x <= -smallest_magnitude;
    return large_enough && x <= tables::exp_largest_argument && x >= tables::exp_smallest_argument;
}

FastResult exp_fast(double x) {
    const Scaled result = exp_scaled(x);
    // With the least normal exponent the sum may still fall below the least normal number.
    return result.exponent > -1022 ? round_normal(result) : round_subnormal(result);
}

namespace {

Scaled exp_scaled(double x) {
    using namespace tables;
    // x = count ln 2 / 8192 + r, where |r| <= 2^-14.52. Adding 1.5 2^52 rounds to a whole number
    // and leaves its two's complement in the low bits of the pattern.
    constexpr double shift = 0x1.8p52;
    const double shifted = x * exp_steps_per_unit + shift;
    const double count = shifted - shift;
    const auto steps = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits(shifted)));
    const double r = x - count * exp_step_high - count * exp_step_middle;

    // e^r - 1 = r + r^2/2 + r^3/6 + r^4/24, but for 2^-79.
    const double growth = r + r * r * (exp_series[0] + r * (exp_series[1] + r * exp_series[2]));

    // 2^(steps / 8192) without its whole power of two. The product of both high parts is exact.
    const TwoParts& coarse = exp_coarse[static_cast<std::size_t>(steps >> 6 & 127)];
    const TwoParts& fine = exp_fine[static_cast<std::size_t>(steps & 63)];
    const double power = coarse.high * fine.high;
    const double power_low = coarse.high * fine.low + coarse.low * (fine.high + fine.low);

    return {steps >> 13, power, power_low + (power + power_low) * growth};
}

// Rounding is monotonic: where both ends of the error interval round to one number, the exact
// result rounds to it as well.
FastResult round_normal(const Scaled& result) {
    const double lower = result.leading + (result.trailing - fast_error);
    const double upper = result.leading + (result.trailing + fast_error);
    const double nearest = result.leading + result.trailing;
    // Added to the exponent field of the pattern.
    const auto exponent = static_cast<std::uint64_t>(std::int64_t{result.exponent}) << 52;
    return {binary64(bits(nearest) + exponent), lower == upper};
}

// The same test on whole numbers, because a subnormal result must be rounded at its own last place
// and only once.
FastResult round_subnormal(const Scaled& result) {
    // In units of 2^-62; cutting off the trailing part and the fast error make less than two.
    constexpr double unit = 0x1p62;
    constexpr std::int64_t error = 2;
    const std::int64_t sum = static_cast<std::int64_t>(result.leading * unit) +
                             static_cast<std::int64_t>(result.trailing * unit);
    // 2^-1074 has 2^drop units; the exponent is -1022 to -1075, so 10 <= drop <= 63.
    const int drop = -1012 - result.exponent;
    const auto rounded = [drop](std::int64_t units) {
        const std::uint64_t half = std::uint64_t{1} << (drop - 1);
        return (static_cast<std::uint64_t>(units) + half) >> drop;
    };
    // A count of 2^-1074 is its own bit pattern.
    return {binary64(rounded(sum)), rounded(sum - error) == rounded(sum + error)};
}

}  // namespace
}  // namespace rmsnorm::numeric
