// What a comparison of a gradient with central differences can decide, by a step and a tolerance
// that somebody chose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/check.hpp"

namespace rmsnorm::evidence {

/// A component of a gradient beside its central difference. Numbers but the distance are bounds.
struct ComparedSlope {
    double distance;    // of the two
    double rounding;    // in both
    double truncation;  // of the step
    double admitted;    // as distance, by the tolerance or else by rounding and truncation
    double terms;       // the size of the terms that the component is made of
    bool passed;        // the comparison, whatever it is worth
};

/// A check that a gradient wrong by this part of its terms could pass decides nothing.
inline constexpr double decisive_part = 1.0 / 8;

/// What was chosen, and the tolerance where there is one.
struct GradientChoice {
    bool step;
    std::optional<double> tolerance;
    bool own_tolerance;
};

/// Fails where the component is off by more than rounding and truncation, holds where it passed and
/// a wrong one would not have.
Decision decision(const ComparedSlope& slope, const GradientChoice& choice);

/// The check that all `slopes` passed, as it is where the verdicts of them together are one. Else
/// it is undecided, and says that the choice cannot decide, with its noise and truncation.
Check decided(Check check, const std::vector<ComparedSlope>& slopes, const GradientChoice& choice);

}  // namespace rmsnorm::evidence
