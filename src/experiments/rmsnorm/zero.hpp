// Experiment: an all-zero row through RMSNorm.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "evidence/record.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::experiments {

/// Why the layer refused the row.
struct ZeroInputs {
    std::size_t width = 2;
    double epsilon = chapter_values::epsilon;

    std::vector<Input> declared();
};

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
Zero zero(const ZeroInputs& inputs);

Record results(const Zero& evidence);
std::string text(const Zero& evidence, Extent extent);

/// Epsilon zero must be rejected, any other must give zeros.
Check zero_check(const Zero& evidence);

/// The object `zero` of a report; for evidence with an output.
Record zero_record(const Zero& evidence);

}  // namespace rmsnorm::experiments
