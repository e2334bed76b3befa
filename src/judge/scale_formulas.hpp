// The catalogue of row scales: RMSNorm's own, and what mistakes make of it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "judge/explanation.hpp"
#include "judge/row_scale.hpp"
#include "judge/row_statistics.hpp"
#include "judge/rows.hpp"

namespace rmsnorm::judge {

/// The sums of squares of all rows of a tensor, read when they are asked for and then kept.
class RowSquares {
  public:
    explicit RowSquares(const Tensors& tensors) : tensors_(tensors) {}

    DoubleDouble of(std::size_t row);
    DoubleDouble up_to(std::size_t row);  // rows 0 to `row`, both included

  private:
    const Tensors& tensors_;
    std::vector<DoubleDouble> up_to_;
    std::vector<double> input_;
};

/// What a formula may look at: the row whose scale it gives, its input as the hypothesis has it,
/// and other rows of the tensor.
struct ScaleContext {
    std::size_t row = 0;
    std::size_t rows = 0;
    double epsilon = 0;
    numeric::NumberFormat arithmetic = numeric::NumberFormat::binary32;
    RowStatistics statistics;
    std::span<const double> input;
    RowSquares* all_rows = nullptr;                        // for the formulas that need other rows
    mutable std::vector<std::optional<double>> sums = {};  // that several formulas share
};

struct ScaleFormula {
    Explanation explanation;
    double cost = 0;  // the likelier mistakes cost less
    /// The row's scale; nothing when the formula says nothing about this row.
    std::function<std::optional<Scale>(const ScaleContext&)> scale;
    bool needs_other_rows = false;
    bool of_given_input = false;  // meant for the input as it was handed in alone
    bool rare = false;            // one of many chains of roundings: no mistake of test vectors
};

/// RMSNorm: `(mean(x^2) + epsilon)^(-1/2)`. Nothing for a zero row with epsilon 0.
std::optional<Scale> right_scale(const ScaleContext& context);

/// All mistakes with a formula of their own, except roundings to narrow formats.
std::vector<ScaleFormula> scale_formulas(const Tensors& tensors);

}  // namespace rmsnorm::judge
