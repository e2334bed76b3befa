// A factor on the input at which an experiment has no result.
#pragma once

#include <stdexcept>
#include <string>

#include "autodiff/error.hpp"
#include "nn/rms_norm.hpp"

namespace rmsnorm::experiments {

/// What could not be computed.
enum class FactorStage {
    unscaled,         // the layer on the input itself
    product,          // factor * input
    scaled,           // the layer on factor * input
    without_epsilon,  // the same with epsilon zero, which is compared with it
};

class FactorError : public std::runtime_error {
  public:
    /// `reason` is the layer's or the tape's own.
    FactorError(FactorStage stage, double factor, double epsilon, const std::string& reason);

    FactorStage stage;
    double factor;
    double epsilon;
};

/// Runs one stage; what the layer or the tape refuses becomes a FactorError.
template <class Run>
auto at_factor(FactorStage stage, double factor, double epsilon, Run run) {
    try {
        return run();
    } catch (const nn::RmsNormError& error) {
        throw FactorError(stage, factor, epsilon, error.what());
    } catch (const autodiff::AutodiffError& error) {
        throw FactorError(stage, factor, epsilon, error.what());
    }
}

}  // namespace rmsnorm::experiments
