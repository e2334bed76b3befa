// Experiment: LayerNorm's input gradient in closed form, with central differences beside it.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/probes.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct LayerNormBackwardInputs {
    Vector input = values::five();
    Vector upstream = values::five_upstream();
    float epsilon = values::epsilon;
    ProbeChoice choice = {};

    std::vector<Input> declared();
    void complete(const Given& given);
};

struct LayerNormBackward {
    LayerNormBackwardInputs inputs;
    float mean;
    Vector normalized;
    float inverse_standard_deviation;
    Vector input_gradient;
    Vector numerical_gradient;
    std::vector<double> numerical_error;  // what rounding and the step may have done to it
    std::vector<Decision> matches;
    Disagreement largest_disagreement;
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError, or InputRejection for a step that does not fit.
LayerNormBackward layer_norm_backward(const LayerNormBackwardInputs& inputs);

/// The same for a gradient that is already known.
LayerNormBackward judged(const LayerNormBackwardInputs& inputs, const Vector& input_gradient);

Record results(const LayerNormBackward& evidence);
std::string text(const LayerNormBackward& evidence, Extent extent);

/// What the figures say in words.
std::vector<std::string> notes(const LayerNormBackward& evidence);

}  // namespace rmsnorm::experiments::normalization
