// What a right output would not have shown: mistakes that these data hide, and formulas that fit
// them better than the bound can tell.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/right_test.hpp"
#include "judge/search.hpp"

namespace rmsnorm::judge {

/// The ids whose mistakes, made on these rows and rounded like the right output, would have been
/// called right.
std::vector<std::string> hidden_mistakes(const Tensors& tensors, const Catalogue& catalogue,
                                         const RightTest& right, const Form& form,
                                         std::span<const Row> rows);

/// The ids of formulas that meet the measured scales of all rows to ten units, while RMSNorm's own
/// scale does not and no common order of its sum does. Always empty when a last rounding makes the
/// output: then the measured scales are too wide to tell.
std::vector<std::string> doubts(const Tensors& tensors, const Catalogue& catalogue,
                                std::span<const Row> rows);

}  // namespace rmsnorm::judge
