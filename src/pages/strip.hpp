// Scales of one row on a line of their own: the bound, what was measured, and the candidates.
#pragma once

#include <string>
#include <vector>

namespace rmsnorm::pages {

struct Strip {
    double bound_low = 0;
    double bound_high = 0;
    double low = 0;  // measured; nothing when low > high
    double high = 0;
    std::vector<double> candidates;
};

/// A frame for the bound, a bar for the measured interval, and a numbered mark for each candidate.
/// Hidden from screen readers: the numbers are beside it.
std::string strip(const Strip& strip);

}  // namespace rmsnorm::pages
