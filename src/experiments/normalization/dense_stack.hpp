// Exercise 3: ten dense layers, with no normalization and with LayerNorm or RMSNorm after each.
#pragma once

#include <cstdint>
#include <string>

#include "evidence/check.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

inline constexpr std::size_t dense_layers = 10;

struct DenseStackCase {
    Vector input;        // its width is that of every layer
    std::uint32_t seed;  // SeededWeights: the layers in order, each row by row
    float spread;
    float epsilon;
};

/// One stack. A magnitude is the RMS of a vector.
struct DenseStackRun {
    std::string norm;                // "none", "layer-norm", "rms-norm"
    std::vector<double> magnitudes;  // after each layer
    std::vector<double> expected;    // sqrt(v / (v + epsilon)), v what the layer's norm divided out
    std::vector<double> bounds;      // of the distance of the two
};

struct DenseStack {
    DenseStackCase inputs;
    Vector first_weights;  // the first four of the first layer
    double input_magnitude;
    double expected_growth;  // spread * sqrt(width / 3): a layer's, for weights and input at random
    std::vector<DenseStackRun> runs;
    std::vector<Check> checks;
};

DenseStackCase book_dense_stack_case();  // width 64, seed 5489, spread 0.5

/// Throws nn::NormalizationError.
DenseStack dense_stack(const DenseStackCase& dense_stack_case);

Record inputs(const DenseStack& evidence);
Record results(const DenseStack& evidence);

/// The object `dense_stack` of a report.
Record dense_stack_record(const DenseStack& evidence);

/// A normalized layer has the magnitude that its norm promises, whatever the weights are.
std::vector<Check> magnitude_checks(const DenseStack& evidence);

}  // namespace rmsnorm::experiments::normalization
