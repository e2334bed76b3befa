// The search of a wrong output's mistake: everywhere, in a part of rows and columns, as something
// added, or as roundings alone.
#pragma once

#include <vector>

#include "judge/right_test.hpp"
#include "judge/sample.hpp"
#include "judge/search.hpp"
#include "judge/verdict.hpp"

namespace rmsnorm::judge {

/// Of the right scales of a row the ones that most elements leave possible.
ScaleInterval most_accepted_scale(const Tensors& tensors, const RightTest& right, std::size_t form,
                                  const Row& row);

/// Hypotheses that fit all rows; `outside` are the rows that are not right.
std::vector<Finding> find_everywhere(const Tensors& tensors, const Catalogue& catalogue,
                                     const std::vector<std::size_t>& outside);

/// Rows, columns or both that are wrong while the rest is right, and what is wrong there.
std::vector<Finding> find_part(const Tensors& tensors, const Catalogue& catalogue,
                               const RightTest& right, std::size_t form,
                               const std::vector<std::size_t>& outside);

}  // namespace rmsnorm::judge
