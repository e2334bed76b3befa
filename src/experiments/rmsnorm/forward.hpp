// Experiment: one forward pass of RMSNorm with every intermediate tensor.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::experiments {

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

Record results(const Forward& evidence);
std::string text(const Forward& evidence, Extent extent);

/// The lines of the tensors, and of the mean square that should come out as one.
std::string pass_lines(const Forward& evidence, Extent extent);
std::string rms_target_line(const Forward& evidence, Extent extent);

/// The object `primary` of a report.
Record primary_record(const Forward& evidence, Presence mean = Presence::always);

}  // namespace rmsnorm::experiments
