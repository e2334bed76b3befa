// Unevaluated sums of two doubles, for quotients and sums that must be finer than binary64: every
// operation has a relative error below 2^-100 where nothing over- or underflows.
#pragma once

#include <cmath>

namespace rmsnorm::judge {

struct DoubleDouble {
    constexpr DoubleDouble(double value = 0) : high(value) {}
    constexpr DoubleDouble(double leading, double rest) : high(leading), low(rest) {}

    double high = 0;
    double low = 0;  // at most half an ulp of `high`
};

/// `a + b` for |a| >= |b|, or a sum that is not finite.
inline DoubleDouble quick_sum(double a, double b) {
    const double sum = a + b;
    if (!std::isfinite(sum)) return {sum, 0};
    return {sum, b - (sum - a)};
}

inline DoubleDouble sum(double a, double b) {
    const double total = a + b;
    if (!std::isfinite(total)) return {total, 0};
    const double part = total - a;
    return {total, (a - (total - part)) + (b - part)};
}

inline DoubleDouble product(double a, double b) {
    const double leading = a * b;
    if (!std::isfinite(leading)) return {leading, 0};
    return {leading, std::fma(a, b, -leading)};
}

inline DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble leading = sum(a.high, b.high);
    const DoubleDouble rest = sum(a.low, b.low);
    const DoubleDouble middle = quick_sum(leading.high, leading.low + rest.high);
    return quick_sum(middle.high, middle.low + rest.low);
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble leading = product(a.high, b.high);
    return quick_sum(leading.high, leading.low + (a.high * b.low + a.low * b.high));
}

inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    const double first = a.high / b.high;
    if (!std::isfinite(first) || first == 0) return first;
    const DoubleDouble rest = a - b * DoubleDouble(first);
    const double second = rest.high / b.high;
    const DoubleDouble rest_after = rest - b * DoubleDouble(second);
    const DoubleDouble leading = quick_sum(first, second);
    return leading + DoubleDouble(rest_after.high / b.high);
}

inline bool operator<(DoubleDouble a, DoubleDouble b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}
inline bool operator>(DoubleDouble a, DoubleDouble b) { return b < a; }

inline DoubleDouble square_root(DoubleDouble a) {
    const double root = std::sqrt(a.high);
    if (!(root > 0) || !std::isfinite(root)) return root;
    const DoubleDouble rest = a - product(root, root);
    return quick_sum(root, rest.high / (2 * root));
}

inline DoubleDouble absolute(DoubleDouble a) { return a.high < 0 ? -a : a; }

/// `a (1 + change)`; `change` may be far below the spacing of doubles at 1.
inline DoubleDouble changed_by(DoubleDouble a, double change) {
    return a + a * DoubleDouble(change);
}
inline double changed_by(double a, double change) { return a + a * change; }

inline double as_double(DoubleDouble a) { return a.high; }
inline double as_double(double a) { return a; }

}  // namespace rmsnorm::judge
