// Outputs that no formula explains: something added, roundings that no known program makes, and
// facts that may lead on.
#pragma once

#include <vector>

#include "judge/right_test.hpp"
#include "judge/search.hpp"

namespace rmsnorm::judge {

/// One number a column, or one for all, added to RMSNorm or LayerNorm.
std::vector<Finding> find_bias(const Tensors& tensors, const Catalogue& catalogue);

/// What `find_roundings` names.
Explanation roundings_beyond_all_known(const Tensors& tensors);

/// As imprecise as computations in the format, which have not made its values.
Explanation as_imprecise_as(NumberFormat format);
bool is_as_imprecise(const Explanation& explanation);

/// The right formula with more roundings than any known implementation has; `outside` are the rows
/// that are not right.
std::vector<Finding> find_roundings(const Tensors& tensors, const Catalogue& catalogue,
                                    const RightTest& right,
                                    const std::vector<std::size_t>& outside);

/// The factors between RMSNorm's scale and the one that explains all elements of a row, of some
/// rows.
struct RowFactors {
    numeric::Interval range;       // holds those of all rows
    std::optional<double> common;  // one that all these rows may have
    std::size_t rows = 0;
    bool too_small = false;  // some row's scale, for the bound of any order
    bool too_large = false;
};
/// Nothing where a row has none.
std::optional<RowFactors> factors_of_rows(const Tensors& tensors, const RightTest& right);

/// Whether the output is the exact result plus the input to within the roundings of both, and the
/// input is large enough to tell.
bool is_with_residual(const Tensors& tensors, const RightTest& right,
                      const std::vector<std::size_t>& outside);

/// What can be said of an output that nothing explains; `form` is the way to round that explains
/// most rows, and `outside` are the rows that it does not.
void add_facts(const Tensors& tensors, const RightTest& right, std::size_t form,
               const std::vector<std::size_t>& outside, std::vector<Fact>& facts);

/// What can be said of a part that nothing explains: a limit, and of which row or column the first
/// that is wrong holds the output.
void add_facts_of_part(const Tensors& tensors, const RightTest& right,
                       const std::vector<std::size_t>& outside, std::vector<Fact>& facts);

}  // namespace rmsnorm::judge
