// What a reader can do about values on which a layer has no result.
#pragma once

#include <string>
#include <vector>

#include "autodiff/error.hpp"
#include "evidence/input.hpp"
#include "nn/normalization.hpp"
#include "nn/rms_norm.hpp"

namespace rmsnorm::experiments {

/// The refusal of a layer or of the tape, as that of the inputs that are to blame: epsilon where a
/// larger one would help, and the given inputs that enter the number that is not finite, or the
/// first input.
InputRejection explained(const std::vector<Input>& inputs, const nn::RmsNormError& error);
InputRejection explained(const std::vector<Input>& inputs, const nn::NormalizationError& error);
InputRejection explained(const std::vector<Input>& inputs, const autodiff::AutodiffError& error);

}  // namespace rmsnorm::experiments
