// A lesson in one page: a layer, a forward and a backward pass, a gradient check, parameter groups.
#include <cstdio>

#include "autodiff/backward.hpp"
#include "autodiff/gradient_check.hpp"
#include "nn/parameter_groups.hpp"
#include "nn/rms_norm.hpp"

using namespace rmsnorm;
using autodiff::Value;
using tensor::Tensor;

int main() {
    // A layer of two features whose gain has a name and values of its own.
    const nn::RmsNorm layer(nn::NamedParameter("lesson.norm.gain", Tensor::vector({1.5, 0.5})),
                            1e-5);

    // Forward: every intermediate tensor is there to look at.
    const Value input = Value::parameter(Tensor::vector({3, 4}));
    const nn::RmsNormForward forward = layer.forward_with_intermediates(input);
    std::printf("mean square %.6f\n", forward.mean_square.tensor()[0]);
    std::printf("output      %.6f %.6f\n", forward.output.tensor()[0], forward.output.tensor()[1]);

    // Backward: the gradient of output · upstream.
    const Tensor upstream = Tensor::vector({1, -2});
    autodiff::backward(forward.output, upstream);
    std::printf("input grad  %.6f %.6f\n", input.gradient()[0], input.gradient()[1]);

    // The same gradient by central differences of the layer.
    const auto loss = [&](const Tensor& point) {
        const Value output = layer.forward(Value::constant(point));
        return output.tensor()[0] * upstream[0] + output.tensor()[1] * upstream[1];
    };
    const autodiff::GradientCheck check =
        autodiff::check_gradient(input.tensor(), input.gradient(), 1e-5, 1e-8, {0, 1}, loss);
    std::printf("gradient check %s\n", check.passed ? "passed" : "failed");

    // What an optimizer is told: a gain does not decay.
    const auto groups =
        nn::ParameterGroups::covering({layer.gain().name()}, {}, {layer.gain().name()});
    std::printf("no decay: %s\n", groups.no_decay()[0].c_str());
    return check.passed ? 0 : 1;
}
