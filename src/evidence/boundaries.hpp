// Experiment: requests that the layer must reject, each made for real.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::evidence {

struct Boundary {
    std::string name;     // "rank-zero"
    bool rejected;        // with the error that the case expects
    std::string error;    // the typed error's name; empty when nothing was thrown
    std::string message;  // empty when nothing was thrown
};

struct Boundaries {
    std::vector<Boundary> cases;
    std::vector<Check> checks;
};

/// Makes a request that must be rejected by the nn::RmsNormError of the given case name. Any other
/// exception passes through.
Boundary provoke(std::string name, std::string_view expected_error,
                 const std::function<void()>& request);

/// Measures 0 when the boundary was rejected, else 1.
Check rejection_check(const Boundary& boundary);

/// The chapter's three: a rank-zero input, a width mismatch, zero energy with epsilon zero.
Boundaries boundaries();

/// Those and a request for every other rejection of the layer: each case of nn::RmsNormError, and
/// each step that can overflow.
Boundaries every_boundary();

Record inputs(const Boundaries& evidence);
Record results(const Boundaries& evidence);

/// The array `boundaries` of a report.
Array boundaries_array(const Boundaries& evidence);

}  // namespace rmsnorm::evidence
