// Experiment: an all-zero row through RMSNorm.
#pragma once

#include <cstddef>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

struct Zero {
    double epsilon;
    tensor::Tensor input;   // [d], zeros
    tensor::Tensor output;  // [d]
    bool finite;            // every value of `output`
    std::vector<Check> checks;
};

/// A unit gain. Throws nn::RmsNormError.
Zero zero(std::size_t feature_width, double epsilon);

Record inputs(const Zero& evidence);
Record results(const Zero& evidence);

/// The object `zero` of a report.
Record zero_record(const Zero& evidence);

}  // namespace rmsnorm::evidence
