// Exercise 6: a latent that is compressed, normalized or not, and projected up again.
#pragma once

#include <cstdint>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct LatentInputs {
    Vector input = alternating(64);
    std::size_t rank = 8;     // the latent's width
    std::size_t seed = 5489;  // SeededWeights: the way down row by row, then the way up
    float spread = 0.5F;
    float epsilon = values::epsilon;

    std::vector<Input> declared();
};

/// What one factor on the input does. Magnitudes are the RMS of a vector.
struct LatentRow {
    float factor;
    double latent;             // of the latent, before the norm
    double plain_output;       // of the output without the norm
    double normalized_output;  // of the output with RMSNorm on the latent
    float inverse_rms;         // of that norm
};

struct Latent {
    LatentInputs inputs;
    std::vector<LatentRow> rows;  // factors 1e-3, 1e-2, … 1e3
    double plain_growth;          // last output over first
    double normalized_growth;
    double up_terms;    // RMS over outputs of the sum of |up weight * latent|, at factor 1
    double down_terms;  // the same with |down weight * input| in the place of a latent
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError.
Latent latent(const LatentInputs& inputs);

Record results(const Latent& evidence);
std::string text(const Latent& evidence, Extent extent);

/// Without the norm the output follows the input's factor; with it, the output is the plain one
/// times the latent's inverse RMS.
std::vector<Check> latent_checks(const Latent& evidence);

}  // namespace rmsnorm::experiments::normalization
