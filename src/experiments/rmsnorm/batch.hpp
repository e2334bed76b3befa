// Experiment: the rows of a batch are normalized independently of each other.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::experiments {

struct Batch {
    double epsilon;
    tensor::Tensor input;  // [..., d]
    tensor::Tensor gain;   // [d]
    std::string gain_name;
    tensor::Tensor output;        // [..., d]
    tensor::Tensor empty_output;  // [0, d]: the same layer on a batch without rows
    std::vector<Check> checks;
};

/// The case's upstream is not used. Throws nn::RmsNormError.
Batch batch(const LayerCase& layer_case);

/// The same with the checks that hold for any input, in place of the chapter's own alone: replay
/// and the closed form.
Batch checked_batch(const LayerCase& layer_case);

/// Measures how many values of `output`, the case's output, differ in a bit from those of their row
/// normalized alone. Throws nn::RmsNormError.
Check row_independence(const LayerCase& layer_case, const tensor::Tensor& output);

/// Measures 0 when `empty_output` has shape [0, feature_width], else 1.
Check empty_batch(const tensor::Tensor& empty_output, std::size_t feature_width);

Record results(const Batch& evidence);
std::string text(const Batch& evidence, Extent extent);

/// The object `batch` of a report.
Record batch_record(const Batch& evidence);

}  // namespace rmsnorm::experiments
