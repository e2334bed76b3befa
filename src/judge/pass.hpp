// What one pass over the rows of the tensors finds. The passes over parts of the rows, one behind
// the other, make the pass over all of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "judge/recipe.hpp"
#include "judge/right_test.hpp"

namespace rmsnorm::judge {

struct Pass {
    std::size_t rows = 0;
    std::vector<std::vector<bool>> outside;  // [form][row]: not as the form rounds
    std::vector<bool> zeros;                 // [row]: input and output are all zero
    OutputError error;                       // the first of the largest; without its bound
    std::size_t judged = 0;
    std::size_t skipped_rows = 0;      // with NaN or infinity in the input, and their output right
    std::vector<std::size_t> skipped;  // the first of them
    std::size_t without_bound = 0;     // squares that leave the range of the arithmetic
    std::size_t overflowed = 0;        // of those that are not judged: of `RowKind::overflowed`
    std::size_t without_result = 0;    // zero rows with epsilon 0
    std::size_t zero_rows_nan = 0;     // zero rows whose output is NaN, or neither that nor zero
    std::size_t zero_rows_other = 0;
    std::size_t not_finite_other = 0;  // rows with NaN or infinity whose output no program gives
    bool ordinary = false;             // there is a row with a scale
    std::string recipe = {};           // that was asked for, or empty
    std::vector<bool> outside_recipe = {};  // [row]
};

/// With a recipe the pass also tells which rows it does not write.
Pass pass_over(const Tensors& tensors, const Recipe* recipe = nullptr);

/// Appends the pass over the rows behind.
void append(Pass& pass, const Pass& next);

/// The rows that no way to round explains. [row]
std::vector<bool> unexplained_rows(const Pass& pass);

/// The rows that are looked at again after the pass: a sample evenly spread over all, the
/// unexplained ones, the one with the largest error, and those of zeros. [row]
std::vector<bool> rows_to_keep(const Pass& pass, std::size_t width);

/// The verdict after a pass over all rows: of the tensors only the rows to keep are read. With a
/// recipe the output is right when the recipe writes all rows, and only then.
Verdict conclude(Tensors tensors, const Pass& pass, bool lists_blind_spots = true);

}  // namespace rmsnorm::judge
