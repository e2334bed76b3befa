// How much of its two terms an input gradient has.
#pragma once

#include <optional>
#include <vector>

#include "judge/input_gradient_terms.hpp"

namespace rmsnorm::judge {

/// Factors by least squares: one for both terms, or one for each.
struct GradientFit {
    double both = 0;
    double first = 0;
    double second = 0;
};

/// Of the rows by the terms of the formula; nothing where a gradient is not finite, or all are
/// zero.
std::optional<GradientFit> fitted(const InputGradientFormula& formula, const GradientReader& reader,
                                  const GradientRoundings& roundings,
                                  const std::vector<GradientRow>& rows);

}  // namespace rmsnorm::judge
