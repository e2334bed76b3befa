// Parameters that are read off the measured scales: an epsilon, a divisor, how many features were
// summed, a factor.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "judge/search.hpp"

namespace rmsnorm::judge {

/// Dearer than a formula of the catalogue, and dearer still with one row, where any value fits.
double estimate_cost(Estimate estimate, std::size_t rows);

struct ReadOff {
    Explanation explanation;
    double slack = 0;  // relative, of a scale with the value: other values fit as well
};

/// The explanation with the value that fits all rows, or nothing when none does, or when the rows
/// leave so much room that any would.
std::optional<ReadOff> read_off(Estimate estimate, std::span<const RowTest> tests);

/// Another epsilon that fits all rows, however little they tell of its value; nothing when the
/// given one fits too.
std::optional<ReadOff> loose_epsilon(std::span<const RowTest> tests);

/// The scale of a row with the value that was read off.
std::optional<Scale> estimated_scale(Estimate estimate,
                                     const std::vector<Explanation>& explanations,
                                     const ScaleContext& context);

/// The interval of epsilons that a measured scale leaves possible; its low end may be negative.
numeric::Interval effective_epsilon(const ScaleInterval& measured, DoubleDouble mean_square);

/// The decimal with the fewest digits inside the interval, with 0 <= low < high.
double shortest_inside(double low, double high);

}  // namespace rmsnorm::judge
