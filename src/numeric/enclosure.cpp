#include "numeric/enclosure.hpp"

#include <algorithm>
#include <utility>

#include "numeric/bits.hpp"

namespace rmsnorm::numeric {
namespace {

constexpr std::int64_t most_bits = 1024;

// A finite number as a whole number times a power of two.
struct Binary {
    std::uint64_t whole;
    int exponent;
};

Binary binary(double value) {
    const auto field = static_cast<int>(bits(value) >> 52 & 0x7ff);
    const std::uint64_t fraction = bits(value) & 0xfffffffffffffU;
    return {field == 0 ? fraction : fraction | std::uint64_t{1} << 52,
            (field == 0 ? 1 : field) - 1075};
}

}  // namespace

Enclosure::Enclosure(double value, int bits) : negative_(value < 0), bits_(bits) {
    const Binary number = binary(value);
    exponent_ = number.exponent;
    middle_ = number.whole;
}

Enclosure Enclosure::at(int bits) const {
    Enclosure same = *this;
    same.bits_ = bits;
    return same;
}

bool Enclosure::is_positive() const {
    return bounded_ && !negative_ && radius_ < lower_bound(middle_, exponent_);
}

Enclosure Enclosure::rounded(bool negative, Natural middle, std::int64_t exponent,
                             ErrorBound radius, int bits) {
    Enclosure result;
    const std::int64_t excess = middle.width() - bits;
    if (excess > 0) {
        if (middle.any_bit_below(excess)) radius = radius + power_of_two(exponent + excess);
        middle = middle >> excess;
        exponent += excess;
    }
    result.negative_ = negative && !middle.is_zero();
    result.bits_ = bits;
    result.exponent_ = exponent;
    result.middle_ = middle;
    result.radius_ = radius;
    return result;
}

Enclosure Enclosure::unbounded(int bits) {
    Enclosure result;
    result.bits_ = bits;
    result.bounded_ = false;
    return result;
}

Enclosure widened(Enclosure a, const ErrorBound& by) {
    a.radius_ = a.radius_ + by;
    return a;
}

ErrorBound magnitude(const Enclosure& a) { return upper_bound(a.middle_, a.exponent_) + a.radius_; }

Enclosure scaled(Enclosure a, std::int64_t places) {
    a.exponent_ += places;
    a.radius_.exponent += places;
    return a;
}

Enclosure Enclosure::sum(const Enclosure& a, const Enclosure& b, bool subtract) {
    const int bits = std::max(a.bits_, b.bits_);
    if (!a.bounded_ || !b.bounded_) return unbounded(bits);
    ErrorBound radius = a.radius_ + b.radius_;
    const bool b_negative = b.negative_ != subtract;
    if (a.middle_.is_zero()) return rounded(b_negative, b.middle_, b.exponent_, radius, bits);
    if (b.middle_.is_zero()) return rounded(a.negative_, a.middle_, a.exponent_, radius, bits);
    const std::int64_t top =
        std::max(a.middle_.width() + a.exponent_, b.middle_.width() + b.exponent_);
    const std::int64_t exponent = std::max(std::min(a.exponent_, b.exponent_), top - 2 * most_bits);
    const auto aligned = [&](const Enclosure& operand) {
        const std::int64_t left = operand.exponent_ - exponent;
        if (left >= 0) return operand.middle_ << left;
        if (operand.middle_.any_bit_below(-left)) radius = radius + power_of_two(exponent);
        return operand.middle_ >> -left;
    };
    const Natural x = aligned(a);
    const Natural y = aligned(b);
    if (a.negative_ == b_negative) return rounded(b_negative, x + y, exponent, radius, bits);
    return x < y ? rounded(b_negative, y - x, exponent, radius, bits)
                 : rounded(a.negative_, x - y, exponent, radius, bits);
}

Enclosure operator+(const Enclosure& a, const Enclosure& b) { return Enclosure::sum(a, b, false); }
Enclosure operator-(const Enclosure& a, const Enclosure& b) { return Enclosure::sum(a, b, true); }

// |x y - a b| <= |a| |y - b| + (|b| + |y - b|) |x - a|.
Enclosure operator*(const Enclosure& a, const Enclosure& b) {
    const int bits = std::max(a.bits_, b.bits_);
    if (!a.bounded_ || !b.bounded_) return Enclosure::unbounded(bits);
    ErrorBound radius;
    if (!a.radius_.is_zero()) radius = a.radius_ * magnitude(b);
    if (!b.radius_.is_zero()) {
        radius = radius + upper_bound(a.middle_, a.exponent_) * b.radius_;
    }
    return Enclosure::rounded(a.negative_ != b.negative_, a.middle_ * b.middle_,
                              a.exponent_ + b.exponent_, radius, bits);
}

// |x/y - a/b| <= (|x - a| + |a/b| |y - b|) / |y|.
Enclosure operator/(const Enclosure& a, const Enclosure& b) {
    const int bits = std::max(a.bits_, b.bits_);
    const ErrorBound least = lower_difference(lower_bound(b.middle_, b.exponent_), b.radius_);
    if (!a.bounded_ || !b.bounded_ || least.is_zero()) return Enclosure::unbounded(bits);
    const std::int64_t left =
        std::max<std::int64_t>(0, bits + 2 - a.middle_.width() + b.middle_.width());
    const auto [quotient, remainder] = divided(a.middle_ << left, b.middle_);
    const std::int64_t exponent = a.exponent_ - b.exponent_ - left;
    ErrorBound radius = a.radius_ / least;
    ErrorBound size = upper_bound(quotient, exponent);
    if (!remainder.is_zero()) {
        radius = radius + power_of_two(exponent);
        size = size + power_of_two(exponent);
    }
    if (!b.radius_.is_zero()) radius = radius + size * b.radius_ / least;
    return Enclosure::rounded(a.negative_ != b.negative_, quotient, exponent, radius, bits);
}

Enclosure abs(const Enclosure& a) {
    Enclosure size = a;
    size.negative_ = false;  // ||x| - |a|| <= |x - a|
    return size;
}

Enclosure max(const Enclosure& a, const Enclosure& b) {
    const Enclosure difference = a - b;
    if (!difference.bounded_ || difference.is_zero() || difference.is_positive()) return a;
    if ((b - a).is_positive()) return b;
    // The middles are apart by no more than the radii together, and so is the larger number from
    // either.
    return widened(difference.negative_ ? b : a, difference.radius_);
}

// |sqrt(x) - sqrt(a)| = |x - a| / (sqrt(x) + sqrt(a)) <= |x - a| / sqrt(a).
Enclosure sqrt(const Enclosure& a) {
    if (!a.bounded_ || (a.negative_ && a.radius_ < lower_bound(a.middle_, a.exponent_))) {
        return Enclosure::unbounded(a.bits_);
    }
    if (a.is_zero()) return a;
    if (a.negative_ || a.middle_.is_zero()) {
        // The number is at most the radius, which is at most 4^half.
        const std::int64_t half = (a.radius_.exponent + 34) / 2 + 1;
        return Enclosure::rounded(false, {}, 0, power_of_two(half), a.bits_);
    }
    std::int64_t left =
        std::max<std::int64_t>(0, 2 * (std::int64_t{a.bits_} + 2) - a.middle_.width());
    if ((a.exponent_ - left) % 2 != 0) ++left;
    const Natural square = a.middle_ << left;
    const Natural root = whole_root(square);
    const std::int64_t exponent = (a.exponent_ - left) / 2;
    ErrorBound radius;
    if (!(root * root == square)) radius = power_of_two(exponent);
    if (!a.radius_.is_zero()) radius = radius + a.radius_ / lower_bound(root, exponent);
    return Enclosure::rounded(false, root, exponent, radius, a.bits_);
}

Enclosure::End Enclosure::end(bool high) const {
    if (radius_.is_zero()) return {negative_, middle_, exponent_};
    const std::int64_t top =
        std::max(middle_.width() + exponent_, std::int64_t{33} + radius_.exponent);
    const std::int64_t exponent =
        std::max(std::min(exponent_, radius_.exponent), top - 2 * most_bits);
    // What is cut off counts as one unit, outwards.
    Natural reach;
    const auto aligned = [&](const Natural& whole, std::int64_t from) {
        if (from >= exponent) return whole << (from - exponent);
        if (whole.any_bit_below(exponent - from)) reach = reach + 1;
        return whole >> (exponent - from);
    };
    const Natural center = aligned(middle_, exponent_);
    reach = reach + aligned(radius_.mantissa, radius_.exponent);
    if (negative_ != high) return {negative_, center + reach, exponent};
    if (center < reach) return {!negative_, reach - center, exponent};
    return {negative_, center - reach, exponent};
}

Enclosure sum(std::span<const Enclosure> values) {
    Enclosure total(0);
    for (const Enclosure& value : values) total = total + value;
    return total;
}

std::vector<Enclosure> enclosures(std::span<const double> values, int bits) {
    std::vector<Enclosure> exact;
    exact.reserve(values.size());
    for (const double value : values) exact.emplace_back(value, bits);
    return exact;
}

std::vector<Enclosure> enclosures(std::span<const float> values, int bits) {
    const std::vector<double> wide(values.begin(), values.end());
    return enclosures(wide, bits);
}

}  // namespace rmsnorm::numeric
