// The catalogue of wrong gradients: which part of the formula each of them replaces.
#pragma once

#include <vector>

#include "judge/gradient.hpp"

namespace rmsnorm::judge {

enum class UpstreamReading {
    given,
    ones,
    previous_row,
    next_row,
    first_row,      // for every row: a row stride of zero
    first_element,  // for every element: all strides zero
    column_major,   // the memory read with transposed strides
    overwritten,    // by the input gradient
};

enum class GainReading { effective, none, squared, stored, plus_one };

enum class ScaleReading {
    right,
    one,
    other_epsilon,
    previous_row,
    next_row,
    denominator,  // mean square plus epsilon where its reciprocal root belongs
    root,         // the root itself
};

enum class InnerSum { row, all_rows, column };

/// `first * r G p - second * G'' x r^power s / width`, with `s` the inner sum of `p G' x`.
struct InputGradientFormula {
    Explanation explanation;
    std::string statement;
    double cost = 1;
    UpstreamReading upstream = UpstreamReading::given;
    GainReading outer = GainReading::effective;   // G
    GainReading inner = GainReading::effective;   // G'
    GainReading second_gain = GainReading::none;  // G''
    ScaleReading scale = ScaleReading::right;
    double first = 1;
    double second = 1;
    int power = 3;
    InnerSum inner_sum = InnerSum::row;
    bool second_without_epsilon = false;  // 1 / mean square for r^2 in the second term
    bool layer_norm = false;              // LayerNorm's gradient
    bool mean_subtracted = false;         // RMSNorm's, less its mean
    bool upstream_added = false;          // as of a residual around the layer
};

enum class Summand {
    normalized,     // p x r
    over_gain,      // p x r / G
    input,          // p x
    output,         // p G x r
    upstream,       // p
    scale_squared,  // p x r^2
    layer_norm,     // p (x - mean) / standard deviation
};

/// `factor` times the sum of the summands of the rows from `first_row` up to `end_row`.
struct GainGradientFormula {
    Explanation explanation;
    std::string statement;
    double cost = 1;
    UpstreamReading upstream = UpstreamReading::given;
    Summand summand = Summand::normalized;
    ScaleReading scale = ScaleReading::right;
    double factor = 1;
    bool magnitudes = false;
    std::size_t first_row = 0;
    std::size_t end_row = 0;
};

/// The first is the right one.
std::vector<InputGradientFormula> input_gradient_formulas(const GradientTensors& tensors);
std::vector<GainGradientFormula> gain_gradient_formulas(const GradientTensors& tensors);

}  // namespace rmsnorm::judge
