// Explanations of a gradient in words.
#pragma once

#include <vector>

#include "judge/gradient.hpp"

namespace rmsnorm::judge {

/// Those that cost little more than the cheapest, which is the first. Those of one id are one, with
/// the number or the wording that fits best; its statement lists the others: "epsilon is 1e-08, or
/// 1e-12".
std::vector<GradientExplanation> likeliest(std::vector<GradientExplanation> explanations);

}  // namespace rmsnorm::judge
