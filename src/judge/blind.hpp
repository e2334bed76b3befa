// What a right output would not have shown: mistakes that these data hide.
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

}  // namespace rmsnorm::judge
