// How much the fit of a rounding says.
#pragma once

#include <cstddef>
#include <span>

#include "judge/verdict.hpp"

namespace rmsnorm::judge {

/// How many scales a coincidence is looked for at.
inline constexpr std::size_t moved_scales = 64;

/// Roundings that no known program makes explain almost any scale of fewer values than these (where
/// each row has a scale of its own, one value a row is none).
inline constexpr std::size_t few_values = 16;

/// How much it says that a formula explains the scales: of `moved_scales` outputs whose scales are
/// off by up to twice as much, each row by another amount, how many have a formula of the catalogue
/// that explains them. For an imprecision the formulas are the roundings to the same format, and
/// for an output that is cut off it is counted how many rounded ones look cut off. 0 for findings
/// without a formula.
std::size_t coincidences(const Tensors& tensors, const Catalogue& catalogue,
                         std::span<const Row> rows, const Finding& finding);

}  // namespace rmsnorm::judge
