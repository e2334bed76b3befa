// One RMSNorm layer, its input, and the adjoint that arrives at its output.
#pragma once

#include <string>

#include "evidence/record.hpp"
#include "nn/rms_norm.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

struct LayerCase {
    tensor::Tensor input;     // [..., d]
    tensor::Tensor gain;      // [d]
    tensor::Tensor upstream;  // the input's shape
    double epsilon;
    std::string gain_name;
};

/// The layer of the case. Throws nn::RmsNormError, nn::ParameterNameError or
/// autodiff::AutodiffError.
nn::RmsNorm layer(const LayerCase& layer_case);

/// A layer of ones, for experiments on the RMS-rescaled vector before any gain.
nn::RmsNorm unit_gain_layer(std::size_t feature_width, double epsilon);

}  // namespace rmsnorm::evidence
