// Random forward and reverse passes that make one machine's arithmetic comparable with another's.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

/// Receives one operand of a case: its name and the computed values. A case that the layer rejects
/// has one operand, "rejected", without values.
using OperandSink =
    std::function<void(std::size_t index, std::string_view operand, const tensor::Tensor& values)>;

/// Runs the first `count` cases of one fixed sequence (MT19937, seed 1910): one to three rows of
/// width one to eight, magnitudes from far below to far above epsilon, epsilon zero in one case out
/// of five. Every result reaches `sink`, in the order in which it is computed.
void run_random_cases(std::size_t count, const OperandSink& sink);

}  // namespace rmsnorm::evidence
