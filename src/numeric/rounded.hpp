// Numbers computed in a binary format, each with a bound of what rounding has done to it: the
// running error analysis of J. H. Wilkinson, Error Analysis of Floating-Point Computation,
// Numerische Mathematik 2, 1960; N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd
// edition, section 3.3.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "numeric/elementary.hpp"

namespace rmsnorm::numeric {

/// `value` is what the operations give in `Format`, float or double, rounded to nearest; `error`
/// bounds its distance from what they give without rounding.
template <class Format>
class Rounded {
  public:
    /// Half the distance from 1 to the next number, and half of the smallest one.
    static constexpr double unit = std::is_same_v<Format, float> ? 0x1p-24 : 0x1p-53;
    static constexpr double smallest = std::is_same_v<Format, float> ? 0x1p-150 : 0x1p-1074;

    explicit Rounded(double value, double error = 0)
        : value_(static_cast<Format>(value)), error_(error) {}

    /// Widening is exact.
    template <class Other>
    explicit Rounded(const Rounded<Other>& other)
        : Rounded(static_cast<Format>(other.format_value()), other.error(),
                  sizeof(Format) < sizeof(Other)) {}

    double value() const { return static_cast<double>(value_); }
    Format format_value() const { return value_; }
    double error() const { return error_; }
    explicit operator double() const { return value(); }

    friend Rounded operator+(Rounded a, Rounded b) {
        return Rounded(a.value_ + b.value_, a.error_ + b.error_, true);
    }
    friend Rounded operator-(Rounded a, Rounded b) {
        return Rounded(a.value_ - b.value_, a.error_ + b.error_, true);
    }
    friend Rounded operator*(Rounded a, Rounded b) {
        return Rounded(a.value_ * b.value_, a.size() * b.error_ + (b.size() + b.error_) * a.error_,
                       true);
    }
    friend Rounded operator/(Rounded a, Rounded b) {
        const Format quotient = a.value_ / b.value_;
        const double least = b.size() - b.error_;
        const double moved = std::fabs(a.value() / b.value()) * b.error_ + a.error_;
        return Rounded(quotient, least > 0 ? moved / least : infinite, true);
    }
    friend Rounded sqrt(Rounded a) {
        const Format root = std::sqrt(a.value_);
        const double size = static_cast<double>(root);
        return Rounded(root, size > 0 ? a.error_ / size : std::sqrt(a.error_), true);
    }
    friend Rounded log(Rounded a) {
        const double least = a.value() - a.error_;
        return Rounded(static_cast<Format>(numeric::log(a.value())),
                       least > 0 ? a.error_ / least : infinite, true);
    }
    friend Rounded exp(Rounded a) {
        const double power = numeric::exp(a.value());
        return Rounded(static_cast<Format>(power),
                       a.error_ < 0.5 ? power * (a.error_ + a.error_ * a.error_) : infinite, true);
    }
    friend Rounded abs(Rounded a) { return Rounded(a.size(), a.error_); }

  private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();

    // The error of the operands carried on, and the result's own rounding. A bound is computed by
    // less than sixteen operations, which round by 2^-53 each, and what they lose below the normal
    // numbers is less than 2^-1070.
    Rounded(Format value, double carried, bool rounds) : value_(value), error_(carried) {
        if (rounds) {
            error_ = (carried + unit * std::fabs(static_cast<double>(value)) + smallest) *
                         (1 + 0x1p-48) +
                     0x1p-1070;
        }
    }

    double size() const { return std::fabs(value()); }

    Format value_;
    double error_;
};

using Rounded32 = Rounded<float>;
using Rounded64 = Rounded<double>;

/// Exact numbers as operands.
template <class Format>
std::vector<Rounded<Format>> as_rounded(std::span<const Format> values) {
    return {values.begin(), values.end()};
}

template <class Format>
std::vector<double> errors(const std::vector<Rounded<Format>>& values) {
    std::vector<double> bounds;
    bounds.reserve(values.size());
    for (const Rounded<Format>& value : values) bounds.push_back(value.error());
    return bounds;
}

/// 1 / sqrt(value) as exp(-0.5 log(value)).
inline Rounded<double> inverse_root_by_logarithm(const Rounded<double>& value) {
    return exp(log(value) * Rounded<double>(-0.5));
}

/// sum(values), in ascending order from +0.
template <class Format>
Rounded<Format> sum(const std::vector<Rounded<Format>>& values) {
    Rounded<Format> total(0.0);
    for (const Rounded<Format>& value : values) total = total + value;
    return total;
}

/// sum(values) whatever the order of its additions (Higham, section 4.2); `value` is that of one.
template <class Format>
Rounded<Format> sum_in_any_order(const std::vector<Rounded<Format>>& values) {
    double sizes = 0;
    double carried = 0;
    for (const Rounded<Format>& value : values) {
        sizes += std::fabs(value.value()) + value.error();
        carried += value.error();
    }
    const double roundings = static_cast<double>(values.size()) * Rounded<Format>::unit;
    return Rounded<Format>(sum(values).value(), (carried + roundings * sizes) * (1 + 0x1p-20));
}

}  // namespace rmsnorm::numeric
