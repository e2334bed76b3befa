// The derivations of the fixture's norms, in binary32, and of their gradients.
#pragma once

#include <string>

#include "experiments/normalization/closed_form.hpp"
#include "experiments/normalization/compare.hpp"
#include "experiments/normalization/constant.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/layer_norm_backward.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/rms_norm_backward.hpp"
#include "experiments/normalization/stats.hpp"

namespace rmsnorm::experiments::normalization {

/// From the evidence; what it does not hold is computed again by the norm's own operations, in
/// their order. Long vectors are abridged as `extent` says.
std::string explanation(const Stats& evidence, Extent extent);
std::string explanation(const LayerNorm& evidence, Extent extent);
std::string explanation(const RmsNorm& evidence, Extent extent);
std::string explanation(const Compare& evidence, Extent extent);
std::string explanation(const LayerNormBackward& evidence, Extent extent);
std::string explanation(const Constant& evidence, Extent extent);
std::string explanation(const RmsNormBackward& evidence, Extent extent);
std::string explanation(const ClosedForm& evidence, Extent extent);

}  // namespace rmsnorm::experiments::normalization
