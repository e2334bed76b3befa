// The search of a wrong output's mistake: everywhere, in a part of rows and columns, as something
// added, or as roundings alone.
#pragma once

#include <vector>

#include "judge/right_test.hpp"
#include "judge/sample.hpp"
#include "judge/search.hpp"
#include "judge/verdict.hpp"

namespace rmsnorm::judge {

/// Hypotheses that fit all rows; `outside` are the rows that are not right.
std::vector<Finding> find_everywhere(const Tensors& tensors, const Catalogue& catalogue,
                                     const std::vector<std::size_t>& outside);

/// Rows and columns whose elements are wrong, and no others, and what is wrong there: nothing where
/// the wrong elements are not all of some rows in some columns, but for a few that are right by
/// chance, which are counted.
std::vector<Finding> find_part(const Tensors& tensors, const Catalogue& catalogue,
                               const RightTest& right, std::size_t form,
                               const std::vector<std::size_t>& outside);

/// Which elements are wrong, where most of each row allow a right scale; nothing where many are.
std::optional<Fact> scattered_elements(const Tensors& tensors, const RightTest& right,
                                       std::size_t form, const std::vector<std::size_t>& outside);

}  // namespace rmsnorm::judge
