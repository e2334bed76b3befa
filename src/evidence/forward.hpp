// Experiment: one forward pass of RMSNorm with every intermediate tensor.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::evidence {

struct Forward {
    double epsilon;
    tensor::Tensor input;        // [..., d]
    tensor::Tensor mean_square;  // [..., 1]
    tensor::Tensor inverse_rms;  // [..., 1]
    tensor::Tensor normalized;   // [..., d]
    tensor::Tensor gain;         // [d]
    std::string gain_name;
    tensor::Tensor output;          // [..., d]
    double normalized_mean_square;  // over all elements of `normalized`
    std::vector<Check> checks;
};

/// Throws nn::RmsNormError.
Forward forward(const LayerCase& layer_case);

Record inputs(const Forward& evidence);
Record results(const Forward& evidence);

/// The object `primary` of a report.
Record primary_record(const Forward& evidence);

}  // namespace rmsnorm::evidence
