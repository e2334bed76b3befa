// The inputs of the experiments on one layer: forward, backward, batch, gradcheck and predict.
#pragma once

#include <vector>

#include "evidence/input.hpp"
#include "evidence/layer_case.hpp"

namespace rmsnorm::experiments {

/// The chapter's values. Its gain and its upstream belong to its input: beside another input, what
/// is not given is ones.
struct LayerInputs : LayerCase {
    LayerInputs();

    /// What a pass without an adjoint takes.
    std::vector<Input> declared();

    /// Gives `input` the shape, and holds gain and upstream to it. Throws InputRejection.
    void complete(const Given& given);

    /// The same for an input that is elsewhere: holds gain and shape to an input of `whole` shape,
    /// as `shape` may change it, which is returned.
    tensor::Shape complete_for(tensor::Shape whole, const Given& given);

    tensor::Shape shape;  // of the input, where it is given by itself
};

/// With an adjoint of the output.
struct BackwardInputs : LayerInputs {
    std::vector<Input> declared();
};

/// The chapter's rows.
struct BatchInputs : LayerInputs {
    BatchInputs();
};

}  // namespace rmsnorm::experiments
