// Somebody else's gradients of RMSNorm: whether they are right, how far off, and which mistake.
//
//     input gradient  r G p - x r^3 s / n    with s = sum of p G x over the row
//     gain gradient   sum of p x r over the rows
//
// with upstream p, effective gain G and r = (mean(x^2) + epsilon)^(-1/2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/answer.hpp"
#include "judge/explanation.hpp"
#include "judge/rows.hpp"
#include "numeric/number_format.hpp"

namespace rmsnorm::judge {

struct GradientFormats {
    NumberFormat input = NumberFormat::binary32;
    NumberFormat gain = NumberFormat::binary32;
    NumberFormat upstream = NumberFormat::binary32;
    NumberFormat input_gradient = NumberFormat::binary32;
    NumberFormat gain_gradient = NumberFormat::binary32;
};

/// Input, upstream and input gradient are [rows, width], the gain is [width]. A gradient that was
/// not handed in has an empty reader.
struct GradientTensors {
    std::size_t rows = 0;
    std::size_t width = 0;
    GradientFormats formats;
    double epsilon = 0;
    double gain_offset = 0;
    std::vector<double> gain;  // as stored, without its offset
    ElementReader input;
    ElementReader upstream;
    ElementReader input_gradient;
    ElementReader gain_gradient;
    bool gain_gradient_by_row = false;  // [rows, width] where [width] is right
};

/// Where the error is the largest part of its bound.
struct GradientError {
    double part_of_bound = 0;  // right up to 1
    std::size_t row = 0;       // 0 for a gain gradient
    std::size_t column = 0;
    double found = 0;
    double expected = 0;   // the exact value, as the nearest binary64
    double error_ulp = 0;  // in units of the format at the larger of both
    double bound_ulp = 0;
};

struct GradientExplanation {
    Explanation explanation;
    std::string statement;
    double largest_distance = 0;  // a part of its bound
    std::size_t rows = 0;         // that it explains; columns for a gain gradient
    double cost = 0;
    std::string part_rows;  // empty, or which rows and columns alone are wrong
    std::string part_columns;
    std::vector<double> also = {};  // numbers that explain it as well as the one that is named
};

struct GradientVerdict {
    Answer state = Answer::right;
    GradientError worst;
    std::size_t outside = 0;     // rows, or columns of a gain gradient, beyond their bound
    std::size_t skipped = 0;     // rows without a gradient: not finite, or zero without epsilon
    std::size_t overflowed = 0;  // rows that are not judged: their squares may add up beyond the
                                 // arithmetic, which gives a scale of 0
    std::size_t not_finite = 0;  // elements of the gradient that are NaN or infinite and wrong
    std::vector<GradientExplanation> explanations;
    std::vector<std::string> doubts;  // of an imprecise one: mistakes that it may be as well
    /// Of an input gradient that nothing explains: the factors of its two terms, by least squares.
    std::optional<double> fit_first;
    std::optional<double> fit_second;
};

/// The input gradient row by row, in the memory of a few rows. Right: within the bound that every
/// order of sums, every style (fused, autograd, by the normalized value) and roundings of the
/// intermediate values to the narrowest of the formats keep.
GradientVerdict judge_input_gradient(const GradientTensors& tensors);

/// The gain gradient, in the memory of a few rows and two numbers a row.
GradientVerdict judge_gain_gradient(const GradientTensors& tensors);

/// The ids of the mistakes that right gradients of these data do not exclude: their results,
/// rounded once, would pass. Tried on some of the rows, or columns.
std::vector<std::string> input_gradient_blind_spots(const GradientTensors& tensors);
std::vector<std::string> gain_gradient_blind_spots(const GradientTensors& tensors);

}  // namespace rmsnorm::judge
