// Computed figures as sentences quote them: without ".0" behind whole numbers.
#pragma once

#include <string>

#include "numeric/number_format.hpp"

namespace rmsnorm::judge {

/// Rounded to so many significant digits: "4170000", "0.25".
std::string quoted(double value, int digits);

/// With four significant digits, or as many as tell it from the other.
std::string quoted_beside(double value, double other = 1);

struct QuotedInterval {
    std::string low;
    std::string high;
};

/// An interval around the given one, whose ends have so many significant digits.
QuotedInterval quoted_outwards(const numeric::Interval& interval, int digits);

/// With as many as tell the ends apart, at least four.
QuotedInterval quoted_outwards(const numeric::Interval& interval);

}  // namespace rmsnorm::judge
