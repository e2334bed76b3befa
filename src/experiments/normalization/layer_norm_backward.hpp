// Experiment: LayerNorm's input gradient in closed form, with central differences beside it.
#pragma once

#include "evidence/check.hpp"
#include "experiments/normalization/probes.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct LayerNormBackwardCase {
    Vector input;
    Vector upstream;
    float epsilon;
    ProbeChoice choice;
};

struct LayerNormBackward {
    LayerNormBackwardCase inputs;
    float mean;
    Vector normalized;
    float inverse_standard_deviation;
    float step;   // of the central differences
    bool by_row;  // and in units of what: of the row, or of 1
    Vector input_gradient;
    Vector numerical_gradient;
    std::vector<bool> matches;
    Disagreement largest_disagreement;
    std::vector<Check> checks;
};

LayerNormBackwardCase book_layer_norm_backward_case();

/// Throws nn::NormalizationError or autodiff::GradientCheckError.
LayerNormBackward layer_norm_backward(const LayerNormBackwardCase& backward_case);

/// The same for a gradient that is already known.
LayerNormBackward layer_norm_backward(const LayerNormBackwardCase& backward_case,
                                      const Vector& input_gradient);

Record inputs(const LayerNormBackward& evidence);
Record results(const LayerNormBackward& evidence);

/// The object `layer_norm_backward` of a report.
Record layer_norm_backward_record(const LayerNormBackward& evidence);

}  // namespace rmsnorm::experiments::normalization
