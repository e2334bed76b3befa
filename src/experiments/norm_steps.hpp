// The steps of a derivation that LayerNorm and RMSNorm have in common.
#pragma once

#include <optional>
#include <span>

#include "evidence/derivation.hpp"

namespace rmsnorm::experiments {

/// A row and what a norm made of it, in the order in which it did.
struct NormSteps {
    std::span<const double> x;                // [d]
    std::optional<double> mean;               // of LayerNorm
    double square;                            // LayerNorm's variance, RMSNorm's mean square
    double epsilon;                           // as it was given
    double stabilized;                        // square + epsilon, rounded
    double root = 0;                          // its reciprocal root, or its root
    std::span<const double> normalized = {};  // [d]
};

/// The mean and the variance, or the mean square.
void explain_moments(evidence::Derivation& steps, const NormSteps& row);

/// The same, and epsilon.
void explain_statistic(evidence::Derivation& steps, const NormSteps& row);

enum class Root { reciprocal, divisor };

/// The root, and the normalized vector.
void explain_root(evidence::Derivation& steps, const NormSteps& row, Root root);
void explain_normalized(evidence::Derivation& steps, const NormSteps& row, Root root);

/// The gain's step, from the normalized vector to the output.
void explain_gain(evidence::Derivation& steps, std::span<const double> normalized,
                  std::span<const double> gain, std::span<const double> output);

/// All before the gain.
void explain_norm(evidence::Derivation& steps, const NormSteps& row, Root root);

}  // namespace rmsnorm::experiments
