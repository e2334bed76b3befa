// Exercise 3: ten dense layers, with no normalization and with LayerNorm or RMSNorm after each.
#pragma once

#include <cstdint>
#include <string>

#include "evidence/check.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

inline constexpr std::size_t dense_layers = 10;

struct DenseStackInputs {
    Vector input = alternating(64);  // its width is that of every layer
    std::size_t seed = 5489;         // SeededWeights: the layers in order, each row by row
    float spread = 0.5F;
    float epsilon = values::epsilon;
    std::size_t width = 64;  // of the default input

    std::vector<Input> declared();
    void complete(const Given& given);
};

/// One stack. A magnitude is the RMS of a vector.
struct DenseStackRun {
    std::string norm;                     // "none", "layer-norm", "rms-norm"
    std::vector<double> magnitudes = {};  // after each layer
    std::vector<double> expected = {};    // sqrt(v / (v + epsilon)), v what the norm divided out
    std::vector<double> bounds = {};      // of the distance of the two
};

struct DenseStack {
    DenseStackInputs inputs;
    Vector first_weights;  // the first four of the first layer
    double input_magnitude;
    double expected_growth;  // spread * sqrt(width / 3): a layer's, for weights and input at random
    std::vector<DenseStackRun> runs = {{"none"}, {"layer-norm"}, {"rms-norm"}};
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError.
DenseStack dense_stack(const DenseStackInputs& inputs);

Record results(const DenseStack& evidence);

/// A normalized layer has the magnitude that its norm promises, whatever the weights are.
std::vector<Check> magnitude_checks(const DenseStack& evidence);

}  // namespace rmsnorm::experiments::normalization
