// Outputs that no formula explains: something added, roundings that no known program makes, and
// facts that may lead on.
#pragma once

#include <vector>

#include "judge/right_test.hpp"
#include "judge/search.hpp"

namespace rmsnorm::judge {

/// One number a column, or one for all, added to RMSNorm or LayerNorm.
std::vector<Finding> find_bias(const Tensors& tensors, const Catalogue& catalogue);

/// The right formula with more roundings than any known implementation has.
std::vector<Finding> find_roundings(const Tensors& tensors, const Catalogue& catalogue,
                                    const RightTest& right);

/// The least and the largest factor between RMSNorm's scale and the one that explains all elements
/// of a row; nothing where there is none.
std::optional<numeric::Interval> factors_of_rows(const Tensors& tensors, const RightTest& right);

/// What can be said of an output that nothing explains.
void add_facts(const Tensors& tensors, const RightTest& right,
               const std::vector<std::size_t>& outside, std::vector<Fact>& facts);

/// Of which row or column the first that is wrong holds the output, where it is one.
void add_origin(const Tensors& tensors, const RightTest& right, std::vector<Fact>& facts);

}  // namespace rmsnorm::judge
