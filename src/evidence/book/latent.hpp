// Exercise 6: a latent that is compressed, normalized or not, and projected up again.
#pragma once

#include <cstdint>

#include "evidence/book/vectors.hpp"
#include "evidence/check.hpp"

namespace rmsnorm::evidence::book {

struct LatentCase {
    Vector input;
    std::size_t rank;    // the latent's width
    std::uint32_t seed;  // SeededWeights: the way down row by row, then the way up
    float spread;
    float epsilon;
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
    LatentCase inputs;
    std::vector<LatentRow> rows;  // factors 1e-3, 1e-2, … 1e3
    double plain_growth;          // last output over first
    double normalized_growth;
    double up_terms;    // RMS over outputs of the sum of |up weight * latent|, at factor 1
    double down_terms;  // the same with |down weight * input| in the place of a latent
    std::vector<Check> checks;
};

LatentCase book_latent_case();  // width 64, rank 8, seed 5489, spread 0.5

/// Throws nn::NormalizationError.
Latent latent(const LatentCase& latent_case);

Record inputs(const Latent& evidence);
Record results(const Latent& evidence);

/// The object `latent` of a report.
Record latent_record(const Latent& evidence);

/// Without the norm the output follows the input's factor; with it, the output is the plain one
/// times the latent's inverse RMS.
std::vector<Check> latent_checks(const Latent& evidence);

}  // namespace rmsnorm::evidence::book
