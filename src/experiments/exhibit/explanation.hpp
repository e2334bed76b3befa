// The derivation of LayerNorm and RMSNorm on one vector.
#pragma once

#include <string>

#include "experiments/exhibit/comparison.hpp"

namespace rmsnorm::experiments {

std::string explanation(const Comparison& evidence, Extent extent);

}  // namespace rmsnorm::experiments
