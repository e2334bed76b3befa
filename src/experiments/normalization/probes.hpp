// Central differences of the fixture's norms, and what they can decide about a gradient.
//
// docs/checks.md derives steps and bounds.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/bounds.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

/// What the reader chose; nothing for what fits the values.
struct ProbeChoice {
    std::optional<float> step;
    std::optional<float> tolerance;
    std::string unit = {};  // of the step: "row" where it is `relative_step`, or empty for one

    void declare(std::vector<Input>& inputs);

    /// Throws InputRejection for another unit.
    void complete() const;
};

/// The fixture's own.
inline const ProbeChoice book_choice{values::probe_step, values::match_tolerance};

/// Slopes by component, and by how much the loss that they are slopes of tells gradients apart.
struct Differences {
    Vector numerical;
    std::vector<double> noise;       // of rounding in the probes
    std::vector<double> truncation;  // of the step
    double scale;                    // the size of the terms that a component is made of
};

/// The function that is differentiated, at `point`: what binary32 gives, what exact arithmetic
/// would, and the bound of their distance.
struct ProbedPoint {
    Vector output;
    std::vector<double> exact;
    std::vector<double> error;
};
using ProbedFunction = std::function<ProbedPoint(const Vector& point)>;

/// For each component of `point`, the sum of `upstream * (plus - minus) / (2 * step)` over the
/// function's values at `point` moved by `step` either way; all of it binary32, in ascending order.
/// Truncation is measured from `exact`, the differences of the same function in binary64 by a step
/// that has next to none. Throws autodiff::GradientCheckError (InvalidStep, UnchangedProbe,
/// NonFiniteProbe) and what `function` throws.
Differences stepped_differences(const Vector& point, const Vector& upstream, float step,
                                const Differences& exact, const ProbedFunction& function);

/// The relative step of the differences below.
inline constexpr float relative_step = 0x1p-14F;

/// Central differences of `sum(weights * x) / sqrt(mean(x^2) + epsilon)` in binary64, by
/// `relative_step` of the root of the width times that root; for LayerNorm x is the input less its
/// mean.
Differences layer_norm_differences(const Vector& input, const std::vector<double>& weights,
                                   float epsilon);
Differences rms_norm_differences(const Vector& input, const std::vector<double>& weights,
                                 float epsilon);

/// Of the gain, in which the loss is linear.
Differences gain_differences(const NormBounds& bounds, const Vector& upstream);

/// The differences of one or more gradients by one step.
struct FittedDifferences {
    ProbeChoice used;  // with the step
    bool own_step;     // the reader's, and no step that fits
    std::vector<Differences> differences;
};

/// By the fixture's step, chosen or not, where it is sure to tell a right gradient from a wrong one
/// (of few values, by errors of at most 1/32 of the terms), else by the step that was chosen;
/// without one `exact`, whose unit is the row. Throws InputRejection for a step that moves nothing
/// or too far.
FittedDifferences fitted_differences(
    const ProbeChoice& choice, const std::vector<Differences>& exact,
    const std::function<std::vector<Differences>(float step)>& stepped);

/// Where a gradient is farthest from its central difference.
struct Disagreement {
    std::size_t dimension;
    float value;
};

struct JudgedGradient {
    Vector numerical;
    std::vector<double> numerical_error;  // noise and truncation of each
    std::vector<Decision> matches;
    Disagreement largest;
    Check check;
};

/// Compares a binary32 gradient, whose own errors are at most `error`, with the differences of that
/// place. Without a tolerance a
/// component may be as far off as these errors, noise and truncation are together; with one, as it
/// says. Where a choice cannot tell right from wrong the check is undecided, and says so.
JudgedGradient judge(const std::string& name, const Vector& gradient,
                     const std::vector<double>& error, const FittedDifferences& fitted,
                     std::size_t which);

Record record(const Disagreement& largest);

}  // namespace rmsnorm::experiments::normalization
