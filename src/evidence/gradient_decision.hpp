// What a comparison of a gradient with central differences can decide, by a step and a tolerance
// that somebody chose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/check.hpp"

namespace rmsnorm::evidence {

/// A component of a gradient beside its central difference. All but the distance are bounds.
struct ComparedSlope {
    double distance;    // of the two
    double rounding;    // in both
    double truncation;  // of the step
    double admitted;    // as distance, by the tolerance or else by rounding and truncation
    double terms;       // the size of the terms that the component is made of
};

/// A check that a gradient wrong by this part of its terms could pass decides nothing.
inline constexpr double decisive_part = 1.0 / 8;

/// What was chosen, and the tolerance where there is one.
struct GradientChoice {
    bool step;
    std::optional<double> tolerance;
    bool own_tolerance;
};

/// `check` as it is where its verdict holds: where it failed and a component is off by more than
/// rounding and truncation, and where it passed and would not have let a wrong gradient pass. Else
/// it fails, and says that the choice cannot decide, with its noise and truncation.
Check decided(Check check, const std::vector<ComparedSlope>& slopes, const GradientChoice& choice);

}  // namespace rmsnorm::evidence
