#include "judge/row_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace rmsnorm::judge {

DoubleDouble sum_of_squares(std::span<const double> values, numeric::NumberFormat arithmetic) {
    if (arithmetic == numeric::NumberFormat::binary64) {
        DoubleDouble total;
        for (const double value : values) total = total + product(value, value);
        return total;
    }
    // Two sums, so that an addition need not wait for the one before it.
    double even = 0;
    double odd = 0;
    std::size_t i = 0;
    for (; i + 1 < values.size(); i += 2) {
        even += values[i] * values[i];
        odd += values[i + 1] * values[i + 1];
    }
    if (i < values.size()) even += values[i] * values[i];
    return even + odd;
}

bool may_overflow(std::span<const double> values, numeric::NumberFormat arithmetic) {
    // A square passes at most n + 8 roundings (docs/judge.md).
    const double growth =
        (static_cast<double>(values.size()) + 8) * numeric::unit_roundoff(arithmetic);
    return !(sum_of_squares(values, arithmetic).high * (1 + 2 * growth) <
             numeric::overflow_threshold(arithmetic));
}

bool is_without_scale(std::span<const double> input, std::span<const double> results,
                      numeric::NumberFormat arithmetic) {
    const auto all = [&](auto holds) { return std::all_of(results.begin(), results.end(), holds); };
    return (all([](double value) { return value == 0; }) ||
            all([](double value) { return std::isnan(value); })) &&
           may_overflow(input, arithmetic);
}

namespace {

// `Sum` is DoubleDouble, or double where the data have at most 24 bits.
template <class Sum>
RowStatistics statistics_by(std::span<const double> input, std::span<const double> gain) {
    Sum squares = 0.0;
    Sum total = 0.0;
    Sum magnitudes = 0.0;
    Sum gained_squares = 0.0;
    double largest = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
        const Sum x = input[i];
        const Sum gained = x * Sum(gain[i]);
        squares = squares + x * x;
        total = total + x;
        magnitudes = magnitudes + Sum(std::fabs(input[i]));
        gained_squares = gained_squares + gained * gained;
        largest = std::max(largest, std::fabs(input[i]));
    }
    const Sum mean = total / Sum(static_cast<double>(input.size()));
    Sum centered_squares = 0.0;
    for (const double value : input) {
        const Sum centered = Sum(value) - mean;
        centered_squares = centered_squares + centered * centered;
    }
    return {input.size(), squares, total, centered_squares, gained_squares, magnitudes, largest};
}

}  // namespace

RowStatistics row_statistics(std::span<const double> input, std::span<const double> gain,
                             numeric::NumberFormat arithmetic) {
    return arithmetic == numeric::NumberFormat::binary64 ? statistics_by<DoubleDouble>(input, gain)
                                                         : statistics_by<double>(input, gain);
}

}  // namespace rmsnorm::judge
