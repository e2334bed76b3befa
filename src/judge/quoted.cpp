#include "judge/quoted.hpp"

#include <cmath>

#include "evidence/number_text.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::judge {
namespace {

constexpr int least_digits = 4;

// The greatest number of so many digits that is at most `value`.
double rounded_down(double value, int digits) {
    double parts = 1;
    for (int i = 0; i < digits; ++i) parts *= 10;
    // A step is one unit of the last digit at most, and ten of them are one at least.
    const double step = std::fabs(value) / parts;
    double result = numeric::rounded(value, digits);
    for (int steps = 1; result > value && steps <= 10; ++steps) {
        result = numeric::rounded(value - steps * step, digits);
    }
    return result;
}

}  // namespace

std::string quoted(double value, int digits) {
    return evidence::given_text(numeric::rounded(value, digits));
}

std::string quoted_beside(double value, double other) {
    return quoted(value, evidence::digits_apart({value, other}, least_digits));
}

QuotedInterval quoted_outwards(const numeric::Interval& interval, int digits) {
    return {evidence::given_text(rounded_down(interval.low, digits)),
            evidence::given_text(-rounded_down(-interval.high, digits))};
}

QuotedInterval quoted_outwards(const numeric::Interval& interval) {
    return quoted_outwards(interval,
                           evidence::digits_apart({interval.low, interval.high}, least_digits));
}

}  // namespace rmsnorm::judge
