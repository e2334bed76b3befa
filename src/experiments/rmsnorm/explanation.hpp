// The derivation of a pass of RMSNorm in binary64.
#pragma once

#include <string>

#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/forward.hpp"

namespace rmsnorm::experiments {

/// Row by row, from the evidence: the stages between are computed again by the layer's own
/// operations, in its order. Long rows and many rows are abridged as `extent` says.
std::string explanation(const Forward& evidence, Extent extent);
std::string explanation(const Batch& evidence, Extent extent);

/// The adjoints on the way back, after the forward stages that they pass.
std::string explanation(const Backward& evidence, Extent extent);

}  // namespace rmsnorm::experiments
