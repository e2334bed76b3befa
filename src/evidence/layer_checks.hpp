// Checks on the layer's results for any input: what holds for RMSNorm whatever the values are. Each
// takes the results that it judges. Bounds are derived in docs/checks.md.
#pragma once

#include "evidence/check.hpp"
#include "evidence/layer_case.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

/// Coordinates whose gradient is compared when a tensor has more.
inline constexpr std::size_t sampled_coordinates = 64;

/// Row by row, mean(normalized^2) against ms / (ms + epsilon). `normalized` has the input's shape.
Check closed_form_check(const tensor::Tensor& input, double epsilon,
                        const tensor::Tensor& normalized);

/// Each row alone, by loops without a tape, against its row of `output`, bit by bit; measures how
/// many values differ. The case is one that the layer accepts.
Check row_independence_check(const LayerCase& layer_case, const tensor::Tensor& output);

/// The gradients of sum(output * upstream) against central differences of the formula
/// x_i / sqrt(mean(x^2) + epsilon) * gain_i, which shares no step with the layer's.
Check input_gradient_check(const LayerCase& layer_case, const tensor::Tensor& input_gradient);
Check gain_gradient_check(const LayerCase& layer_case, const tensor::Tensor& gain_gradient);

}  // namespace rmsnorm::evidence
