// Row scales of programs that round squares, sums, means or roots to a format with fewer bits than
// the arithmetic.
#pragma once

#include <vector>

#include "judge/scale_formulas.hpp"

namespace rmsnorm::judge {

/// The formats that have fewer bits than `arithmetic`.
std::vector<NumberFormat> lower_formats(NumberFormat arithmetic);

/// Formulas with the ids squares-low, accumulation-low, mean-square-low, reciprocal-low and
/// computed-low; for the input as it was handed in. A scale of 0 stands for squares that overflow.
std::vector<ScaleFormula> low_precision_formulas(NumberFormat arithmetic);

}  // namespace rmsnorm::judge
