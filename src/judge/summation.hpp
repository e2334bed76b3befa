// Orders in which programs add squares up, with every addition rounded.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "numeric/number_format.hpp"

namespace rmsnorm::judge {

enum class Join { ascending, tree };

struct SummationOrder {
    std::size_t lanes = 1;  // running sums, each of every so many-th square; 0: pairs of neighbors
    Join join = Join::ascending;  // of the running sums
    bool halves = false;          // the sum of the halves, each taken likewise
    std::string name;
    bool rest_first = false;  // what a last round of the lanes leaves goes into the first
};

/// One running sum, several, trees.
std::vector<SummationOrder> usual_orders();

/// The mean square of a row with every addition rounded to `format` in that order, the squares as
/// well if asked for. The division by the width is not rounded.
double rounded_mean(std::span<const double> input, numeric::NumberFormat format,
                    const SummationOrder& order, bool rounds_squares);

}  // namespace rmsnorm::judge
