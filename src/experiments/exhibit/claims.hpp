// What the exhibit claims of the two norms, each with the figure that shows it.
#pragma once

#include <string>

#include "evidence/check.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::experiments {

struct Claim {
    Check check;         // `statement` is the claim
    std::string figure;  // what `measure` is and why `bound` bounds it
};

/// One vector under both norms.
struct BothNorms {
    tensor::Tensor layer_norm;
    tensor::Tensor rms_norm;
};

/// LayerNorm removes a common offset and RMSNorm does not. Measures LayerNorm's largest change over
/// RMSNorm's, 1 when RMSNorm's is zero; the bound is zero, which holds for vectors whose
/// deviations are computed exactly.
Claim offset_claim(const BothNorms& plain, const BothNorms& shifted);

/// Both norms cancel a factor but for epsilon's effect. Measures the larger of their largest
/// changes; the bound is what epsilon moves for a vector of mean square `mean_square` and zero
/// mean, whose every feature is multiplied by `factor` of magnitude one or more.
Claim scale_claim(const BothNorms& plain, const BothNorms& scaled, double mean_square,
                  double epsilon, double factor);

/// RMSNorm keeps zeros and the gain rescales. Counts the outputs of a zero input that are not zero,
/// and the gained outputs that are not the gain times the plain ones, bit for bit.
Claim zero_and_gain_claim(const tensor::Tensor& zero_output, const tensor::Tensor& plain,
                          const tensor::Tensor& gain, const tensor::Tensor& gained);

}  // namespace rmsnorm::experiments
