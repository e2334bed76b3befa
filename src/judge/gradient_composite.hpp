// Gradients of programs whose every operation rounds to one low format, as automatic
// differentiation of a composite does. Those of the input are known
// up to two factors that a row shares, those of the gain have a wider bound.
#pragma once

#include <optional>

#include "judge/input_gradient_terms.hpp"

namespace rmsnorm::judge {

/// Whether dx = R G p - C x with some R near the reciprocal root and some C near r^3 s / n explains
/// the row, its products and sums rounded to the low format, as a part of their bound
/// (docs/judge-gradients.md); more than 1, or infinite, where none does. Nothing where the row has
/// no gradient.
std::optional<double> composite_distance(const GradientReader& reader,
                                         const GradientRoundings& roundings, NumberFormat low,
                                         const GradientRow& row);

/// The elements of the row that are smaller than what those roundings may leave there.
std::size_t composite_swallowed(const GradientReader& reader, const GradientRoundings& roundings,
                                NumberFormat low, const GradientRow& row);

/// The narrowest of the formats, in which a composite of these tensors computes; nothing where none
/// is narrower than the arithmetic.
std::optional<NumberFormat> composite_format(const GradientFormats& formats, NumberFormat output);

/// Whether the format has 16 bits and is no tensor's own.
bool is_foreign_16_bits(const GradientFormats& formats, NumberFormat output, NumberFormat low);

/// Whether roundings to binary32 of wider data are likelier than the explanation: it stands on few
/// numbers, or is a factor nearer to 1 than one that somebody writes.
bool is_weaker_than_binary32(const Explanation& explanation, std::size_t numbers);

/// Dearer than a mistake.
double cost_of_rounding(NumberFormat low);
/// Likelier than any mistake.
inline constexpr double cost_of_usual_rounding = 0.95;

/// What the bound of a gain gradient becomes where every operation rounds to the low format.
GradientRoundings composite_roundings(const GradientTensors& tensors,
                                      const GradientRoundings& roundings, NumberFormat low);

}  // namespace rmsnorm::judge
