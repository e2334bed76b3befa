// One row of the tensors of a gradient, its scale, and the parts of the gradients' bounds that all
// rows share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "judge/gradient.hpp"
#include "judge/row_scale.hpp"

namespace rmsnorm::judge {

/// A row's mean square, its reciprocal root and how far, relatively, a right one may be from it.
struct GradientScale {
    DoubleDouble mean_square;
    DoubleDouble denominator;  // mean square plus epsilon
    DoubleDouble reciprocal;
    double error = 0;
};

/// Nothing where the row is not finite, is zero without epsilon, or has no bound.
std::optional<GradientScale> gradient_scale(const GradientTensors& tensors,
                                            std::span<const double> input, double epsilon);

/// What the bounds need of the formats.
struct GradientRoundings {
    explicit GradientRoundings(const GradientFormats& formats, NumberFormat output);

    NumberFormat arithmetic;
    NumberFormat output;
    bool rounds_output = false;  // the output is narrower than the arithmetic
    double unit = 0;             // unit roundoff of the arithmetic
    double inner_unit = 0;       // of the narrowest format that an intermediate value may be in
    double inner_smallest = 0;   // its smallest subnormal; both 0 where no format is narrower
    double underflow = 0;        // what flushing to zero may lose

    /// What the last rounding adds to a bound, for a value and a result of these magnitudes;
    /// `terms` is the sum of the magnitudes that were added last.
    double last(double exact, double found, double terms) const;
};

/// |found - exact| as a part of the bound; infinite for a NaN. An infinity passes where a value
/// within the bound overflows.
double part_of_bound(const GradientRoundings& roundings, double found, double exact,
                     double difference, double bound);

/// Reads row `row` of a tensor of the width.
void read_row(const ElementReader& reader, std::size_t row, std::span<double> elements);

bool all_finite(std::span<const double> elements);

/// A factor between a wrong gradient and the right one: the whole number, or one part in a whole
/// number, that is within the relative error of `value`, but not 1, which would be right.
double near_whole(double value, double error);

/// Which of `count` indices are listed, in words: "all", "5", "from 96", "the last", "every 4th
/// from 3"; nothing when they follow no rule. `indices` ascend.
std::optional<std::string> pattern_of(std::span<const std::size_t> indices, std::size_t count);

}  // namespace rmsnorm::judge
