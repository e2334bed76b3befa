#include "evidence/replay.hpp"

namespace rmsnorm::evidence {

Check replay_check(const Record& first, const Record& second) {
    const auto difference = first_difference(first, second);
    return at_most("replay",
                   difference ? "a second run gives the same bits; it differs at " + *difference
                              : "a second run gives the same bits",
                   difference ? 1 : 0, 0);
}

}  // namespace rmsnorm::evidence
