// Sums over a row, finer than the arithmetic whose results they judge.
#pragma once

#include <cstddef>
#include <span>

#include "judge/double_double.hpp"
#include "numeric/number_format.hpp"

namespace rmsnorm::judge {

struct RowStatistics {
    std::size_t width = 0;
    DoubleDouble squares;           // sum of x^2
    DoubleDouble total;             // sum of x
    DoubleDouble centered_squares;  // sum of (x - mean)^2
    DoubleDouble gained_squares;    // sum of (G x)^2
    DoubleDouble magnitudes;        // sum of |x|
    double largest = 0;             // largest |x|

    DoubleDouble mean_square() const { return squares / DoubleDouble(static_cast<double>(width)); }
    DoubleDouble mean() const { return total / DoubleDouble(static_cast<double>(width)); }
    DoubleDouble variance() const {
        return centered_squares / DoubleDouble(static_cast<double>(width));
    }
};

/// The sum of squares with a relative error below 2^-26 unit roundoffs of `arithmetic` an element.
DoubleDouble sum_of_squares(std::span<const double> values, numeric::NumberFormat arithmetic);

/// Whether the squares may add up beyond what the arithmetic holds, in some order.
bool may_overflow(std::span<const double> values, numeric::NumberFormat arithmetic);

/// Whether a row's results are zeros, or NaN, alone, which a scale of 0 makes where the squares of
/// the input overflow.
bool is_without_scale(std::span<const double> input, std::span<const double> results,
                      numeric::NumberFormat arithmetic);

/// All of them, as finely; `gain` is the effective one.
RowStatistics row_statistics(std::span<const double> input, std::span<const double> gain,
                             numeric::NumberFormat arithmetic);

}  // namespace rmsnorm::judge
