// Experiment: the tape of one layer, node by node: what each computed, and the adjoint that the
// reverse pass brought to it.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::experiments {

struct Stage {
    std::string name;
    std::string formula;
    tensor::Tensor value;    // [..., d], [..., 1] of a statistic, [d] of the gain
    tensor::Tensor adjoint;  // of the value's shape
};

struct Stages {
    std::vector<Stage> stages;  // operands before the stages that use them
    std::vector<Check> checks;
};

/// Throws nn::RmsNormError or autodiff::AutodiffError.
Stages stages(const LayerCase& layer_case);

Record results(const Stages& evidence);

/// Measures in how many values the adjoints of input and gain differ from the gradients by a bit.
Check adjoint_check(const Stages& evidence, const tensor::Tensor& input_gradient,
                    const tensor::Tensor& gain_gradient);

}  // namespace rmsnorm::experiments
