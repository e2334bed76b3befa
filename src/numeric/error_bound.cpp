#include "numeric/error_bound.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace rmsnorm::numeric {

ErrorBound at_most(std::uint64_t mantissa, std::int64_t exponent) {
    if (mantissa == 0) return {};
    const int excess = static_cast<int>(std::bit_width(mantissa)) - 32;
    if (excess <= 0) return {mantissa << -excess, exponent + excess};
    const bool lost = (mantissa & ((std::uint64_t{1} << excess) - 1)) != 0;
    return {(mantissa >> excess) + (lost ? 1 : 0), exponent + excess};
}

ErrorBound power_of_two(std::int64_t exponent) { return at_most(1, exponent); }

ErrorBound operator+(const ErrorBound& a, const ErrorBound& b) {
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    const ErrorBound& large = a.exponent >= b.exponent ? a : b;
    const ErrorBound& small = a.exponent >= b.exponent ? b : a;
    const std::int64_t gap = large.exponent - small.exponent;
    return at_most(large.mantissa + (gap > 40 ? 0 : small.mantissa >> gap) + 1, large.exponent);
}

ErrorBound operator*(const ErrorBound& a, const ErrorBound& b) {
    if (a.is_zero() || b.is_zero()) return {};
    // 2^32 times 2^31 at most.
    return at_most(a.mantissa * ((b.mantissa + 1) >> 1), a.exponent + b.exponent + 1);
}

ErrorBound operator/(const ErrorBound& a, const ErrorBound& b) {
    if (a.is_zero()) return a;
    return at_most((a.mantissa << 31) / b.mantissa + 1, a.exponent - b.exponent - 31);
}

bool operator<(const ErrorBound& a, const ErrorBound& b) {
    if (a.is_zero() || b.is_zero()) return a.mantissa < b.mantissa;
    const ErrorBound x = at_most(a.mantissa, a.exponent);  // 2^32 becomes 2^31
    const ErrorBound y = at_most(b.mantissa, b.exponent);
    return std::pair(x.exponent, x.mantissa) < std::pair(y.exponent, y.mantissa);
}

ErrorBound lower_bound(const Natural& value, std::int64_t exponent) {
    if (value.is_zero()) return {};
    const std::int64_t excess = std::max<std::int64_t>(0, value.width() - 32);
    return at_most(value.leading(excess), exponent + excess);
}

ErrorBound upper_bound(const Natural& value, std::int64_t exponent) {
    const ErrorBound below = lower_bound(value, exponent);
    if (!value.any_bit_below(below.exponent - exponent)) return below;
    return at_most(below.mantissa + 1, below.exponent);
}

ErrorBound lower_difference(const ErrorBound& a, const ErrorBound& b) {
    if (b.is_zero() || a.is_zero()) return a;
    if (a < b) return {};
    const std::int64_t gap = a.exponent - b.exponent;  // at least -1
    const std::uint64_t taken = gap > 40  ? 1
                                : gap < 0 ? b.mantissa << -gap
                                          : (b.mantissa >> gap) + 1;
    return taken >= a.mantissa ? ErrorBound{} : at_most(a.mantissa - taken, a.exponent);
}

double to_binary64(const ErrorBound& bound) {
    if (bound.is_zero()) return 0;
    if (bound.exponent > 1024) return std::numeric_limits<double>::infinity();
    const auto exponent = static_cast<int>(std::max<std::int64_t>(bound.exponent, -1200));
    const double value = std::ldexp(static_cast<double>(bound.mantissa), exponent);
    return bound.exponent < -1074 ? value + 0x1p-1074 : value;
}

}  // namespace rmsnorm::numeric
