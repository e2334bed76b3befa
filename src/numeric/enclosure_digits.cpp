#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/decimal.hpp"
#include "numeric/enclosure.hpp"

namespace rmsnorm::numeric {
namespace {

// Numbers farther from 1 than this power of two are beyond what a figure of binary64 may be.
constexpr std::int64_t largest_place = 1200;

// |end| 10^power, cut off, and whether nothing was.
struct Digits {
    Natural whole;
    bool exact;
};

Digits digits_of(const Natural& whole, std::int64_t exponent, int power) {
    const Natural ten = power_of_ten(std::abs(power));
    const auto [quotient, remainder] =
        divided((power > 0 ? whole * ten : whole) << std::max<std::int64_t>(0, exponent),
                (power < 0 ? ten : Natural(1)) << std::max<std::int64_t>(0, -exponent));
    return {quotient, remainder.is_zero()};
}

std::string scientific(bool negative, const Natural& whole, std::int64_t exponent, int digits,
                       bool away) {
    if (whole.is_zero()) return "0";
    const std::int64_t top = whole.width() + exponent;
    if (std::abs(top) > largest_place) return top > 0 ? (negative ? "-inf" : "inf") : "0";
    // Powers of ten are too few at first, by one at most.
    int place = static_cast<int>(std::floor(static_cast<double>(top - 1) * 0.30102));
    const Natural limit = power_of_ten(digits);
    Digits shown = digits_of(whole, exponent, digits - 1 - place);
    while (!(shown.whole < limit)) {
        ++place;
        shown = digits_of(whole, exponent, digits - 1 - place);
    }
    if (away && !shown.exact) shown.whole = shown.whole + 1;
    std::string text = decimal_text(shown.whole);
    if (text.size() > static_cast<std::size_t>(digits)) {  // all nines, rounded up
        text.pop_back();
        ++place;
    }
    if (digits > 1) text.insert(1, ".");
    return (negative ? "-" : "") + text + "e" + std::to_string(place);
}

}  // namespace

double Enclosure::distance_bound(double value) const {
    const Enclosure off = *this - Enclosure(value);
    return off.bounded_ ? to_binary64(magnitude(off)) : std::numeric_limits<double>::infinity();
}

double Enclosure::least_distance(double value) const {
    const Enclosure off = *this - Enclosure(value);
    if (!off.bounded_) return 0;
    const double least =
        to_binary64(lower_difference(lower_bound(off.middle_, off.exponent_), off.radius_));
    // to_binary64 rounds up, by a part in 2^52 or two of the smallest numbers.
    return std::max(0.0, least * (1 - 0x1p-50) - 0x1p-1072);
}

std::optional<double> Enclosure::distance(double value, int place) const {
    const Enclosure off = scaled(*this - Enclosure(value), -place);
    if (!off.bounded_) return std::nullopt;
    if (magnitude(off) < power_of_two(-40) || off.is_zero()) return 0;
    const ErrorBound size = upper_bound(off.middle_, off.exponent_);
    if (size < off.radius_ * power_of_two(12)) return std::nullopt;
    return numeric::rounded(std::min(to_binary64(size), std::numeric_limits<double>::max()), 2);
}

std::optional<std::uint64_t> Enclosure::units_off(double value, int decimals) const {
    const Enclosure shown(value);
    const End ends[] = {end(false), end(true), {shown.negative_, shown.middle_, shown.exponent_}};
    if (!bounded_) return std::nullopt;
    Natural units[3];
    for (int i = 0; i < 3; ++i) {
        if (ends[i].whole.width() + ends[i].exponent > largest_place) return std::nullopt;
        units[i] = rounded_units(ends[i].whole, ends[i].exponent, decimals);
    }
    // The two ends round to one number, zero with any sign.
    if (!(units[0] == units[1])) return std::nullopt;
    if (!units[0].is_zero() && ends[0].negative != ends[1].negative) return std::nullopt;
    const Natural off = ends[0].negative != ends[2].negative ? units[0] + units[2]
                        : units[0] < units[2]                ? units[2] - units[0]
                                                             : units[0] - units[2];
    return off.width() > 64 ? std::numeric_limits<std::uint64_t>::max() : off.leading(0);
}

std::string Enclosure::low(int digits) const {
    if (!bounded_) return "unbounded";
    const End low = end(false);
    return scientific(low.negative, low.whole, low.exponent, digits, low.negative);
}

std::string Enclosure::high(int digits) const {
    if (!bounded_) return "unbounded";
    const End high = end(true);
    return scientific(high.negative, high.whole, high.exponent, digits, !high.negative);
}

}  // namespace rmsnorm::numeric
