// The fewest tests that meet duties, by greedy choice.
#pragma once

#include <cstddef>
#include <vector>

namespace rmsnorm::judge::vectors {

/// Met when `need` of the tests in `met_by` are chosen, or all where they are fewer.
struct Duty {
    std::vector<std::size_t> met_by;
    std::size_t need = 1;
};

/// Tests are indices into `sizes`; those below `given` are chosen from the start. Chooses the test
/// that meets the most open duties, of several the smallest, until no duty is open or `most` are
/// chosen; then takes out what later choices made needless. The result is in the order of choice.
std::vector<std::size_t> cover(const std::vector<Duty>& duties,
                               const std::vector<std::size_t>& sizes, std::size_t given,
                               std::size_t most);

}  // namespace rmsnorm::judge::vectors
