#include "judge/row_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/elementary.hpp"

namespace rmsnorm::judge {
namespace {

// For the roundings of the bound's own arithmetic.
constexpr double inflated = 1 + 1e-12;

// At least e^t - 1: the series of t / (1 - t/2) has larger terms.
double exponential_growth(double t) {
    return t < 1 ? t / (1 - t / 2) : std::numeric_limits<double>::infinity();
}

}  // namespace

bool ScaleInterval::meets(const ScaleInterval& other) const {
    return !empty() && !other.empty() && !(low > other.high) && !(other.low > high);
}

ScaleInterval Scale::interval() const {
    const DoubleDouble top =
        std::isfinite(above) ? changed_by(exact, above) : std::numeric_limits<double>::infinity();
    return {changed_by(exact, -std::min(below, 1.0)), top};
}

ScaleBound scale_bound(numeric::NumberFormat arithmetic, std::size_t width, double mean_share,
                       double denominator, double amplification) {
    const double u = numeric::unit_roundoff(arithmetic);
    const double roundings = static_cast<double>(width) + 8;
    const double share = std::min(mean_share, 1.0) * amplification;
    const double addend_share = 1 - std::min(mean_share, 1.0);
    const double underflow = numeric::smallest_normal(arithmetic) / denominator;
    const double more = share * exponential_growth(roundings * u) +
                        addend_share * exponential_growth(5 * u) + underflow;
    const double less = std::min(1.0, share * roundings * u + addend_share * 5 * u + underflow);
    const double root = (4 + std::fabs(numeric::log(denominator))) * u;
    const double kept = std::sqrt(1 - less);
    const double grown =
        less < 1 ? less / (kept * (1 + kept)) : std::numeric_limits<double>::infinity();
    return {std::min(1.0, (more / 2 + root) * inflated), (grown + root + grown * root) * inflated};
}

Scale reciprocal_root(numeric::NumberFormat arithmetic, std::size_t width, DoubleDouble mean,
                      DoubleDouble denominator, double amplification) {
    const double share = mean.high / denominator.high;
    const ScaleBound bound = scale_bound(arithmetic, width, share, denominator.high, amplification);
    return {DoubleDouble(1) / square_root(denominator), bound.below, bound.above};
}

double distance_in_roundoffs(const ScaleInterval& measured, DoubleDouble exact,
                             numeric::NumberFormat arithmetic) {
    if (measured.empty()) return std::numeric_limits<double>::infinity();
    if (exact.high == 0) return measured.low > DoubleDouble(0) ? HUGE_VAL : 0;
    const double unit = numeric::unit_roundoff(arithmetic);
    if (measured.low > exact) return ((measured.low - exact) / exact).high / unit;
    if (exact > measured.high) return ((exact - measured.high) / exact).high / unit;
    return 0;
}

double distance_in_bounds(const ScaleInterval& measured, const Scale& scale) {
    if (measured.empty()) return std::numeric_limits<double>::infinity();
    if (scale.exact.high == 0) return measured.low > DoubleDouble(0) ? HUGE_VAL : 0;
    double distance = 0;
    double bound = 1;
    if (measured.low > scale.exact) {
        distance = ((measured.low - scale.exact) / scale.exact).high;
        bound = scale.above;
    } else if (scale.exact > measured.high) {
        distance = ((scale.exact - measured.high) / scale.exact).high;
        bound = scale.below;
    }
    return distance == 0 ? 0 : distance / bound;
}

}  // namespace rmsnorm::judge
