// Experiment: an all-zero row through RMSNorm.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

/// Why the layer refused the row.
struct ZeroRejection {
    std::string error;  // the typed error's name
    std::string message;
};

struct Zero {
    double epsilon;
    tensor::Tensor input;                    // [d], zeros
    std::optional<tensor::Tensor> output;    // [d]; nothing when the row was rejected
    bool finite;                             // there is an output, and all its values are finite
    std::optional<ZeroRejection> rejection;  // with epsilon zero, which would divide zero by zero
    std::vector<Check> checks;
};

/// A unit gain. Throws nn::RmsNormError, but for the row's rejection.
Zero zero(std::size_t feature_width, double epsilon);

Record inputs(const Zero& evidence);
Record results(const Zero& evidence);

/// Epsilon zero must be rejected, any other must give zeros.
Check zero_check(const Zero& evidence);

/// The object `zero` of a report; for evidence with an output.
Record zero_record(const Zero& evidence);

}  // namespace rmsnorm::evidence
