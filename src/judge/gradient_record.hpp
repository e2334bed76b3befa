// Verdicts on gradients as records of evidence and as lines of text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"
#include "judge/gradient.hpp"

namespace rmsnorm::judge {

struct JudgedGradient {
    GradientVerdict verdict;
    std::vector<std::string> blind_to;  // of a right one
};

/// What was handed in of both gradients.
struct JudgedGradients {
    std::optional<JudgedGradient> input;
    std::optional<JudgedGradient> gain;
};

/// Judges the gradients that the tensors have readers for.
JudgedGradients judge_gradients(const GradientTensors& tensors);

/// The member `gradients` of a verdict's document: `input` and `gain`, each if it was judged.
evidence::Record record(const JudgedGradients& gradients);

/// That each is right.
std::vector<evidence::Check> checks(const JudgedGradients& gradients);

/// A few lines for each: verdict, mistakes, the worst place, blind spots.
std::string text(const JudgedGradients& gradients);

}  // namespace rmsnorm::judge
