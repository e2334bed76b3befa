// One forward pass of the exhibit's model in binary32, on seeded normal numbers.
#pragma once

#include <cstdint>

#include "tensor/tensor.hpp"

namespace rmsnorm::experiments {

/// Every value is a binary32 number.
struct SeededForward {
    std::uint32_t seed;
    tensor::Tensor input;   // [1, 4, 8]: a batch of one, four tokens, eight features
    tensor::Tensor output;  // [2, 1, 4, 8]: LayerNorm's outputs, then RMSNorm's
};

/// The input is numeric::seeded_normals. Both norms have unit gains, sum in ascending order, and
/// round every operation to binary32, `epsilon` too. Throws nn::NormalizationError.
SeededForward seeded_forward(std::uint32_t seed, double epsilon);

}  // namespace rmsnorm::experiments
