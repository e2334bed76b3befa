// Experiment: requests that the layer must reject, each made for real.
#pragma once

#include <string>
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

/// The chapter's three: a rank-zero input, a width mismatch, zero energy with epsilon zero.
Boundaries boundaries();

Record inputs(const Boundaries& evidence);
Record results(const Boundaries& evidence);

/// The array `boundaries` of a report.
Array boundaries_array(const Boundaries& evidence);

}  // namespace rmsnorm::evidence
