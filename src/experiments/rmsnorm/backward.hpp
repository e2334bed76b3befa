// Experiment: the reverse pass of RMSNorm, from an adjoint at the output to the gradients of input
// and gain.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::experiments {

struct Backward {
    double epsilon;
    tensor::Tensor input;  // [..., d]
    tensor::Tensor gain;   // [d]
    std::string gain_name;
    tensor::Tensor upstream;        // [..., d]
    tensor::Tensor input_gradient;  // [..., d]
    tensor::Tensor gain_gradient;   // [d]
    std::vector<Check> checks;
};

/// Throws nn::RmsNormError or autodiff::AutodiffError.
Backward backward(const LayerCase& layer_case);

/// The same with its checks: replay, both gradients against central differences, and on the forward
/// pass under them the closed form and the independence of rows.
Backward checked_backward(const LayerCase& layer_case);

Record results(const Backward& evidence);
std::string text(const Backward& evidence, Extent extent);

/// The object `backward` of a report.
Record backward_record(const Backward& evidence);

}  // namespace rmsnorm::experiments
