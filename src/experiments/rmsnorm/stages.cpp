#include "experiments/rmsnorm/stages.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "autodiff/backward.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "numeric/bits.hpp"

namespace rmsnorm::experiments {
namespace {

struct Name {
    std::string_view stage;
    std::string_view formula;
};

// The tracked nodes of the layer's graph, operands before the nodes that use them.
constexpr std::array names{Name{"input", "x"},
                           Name{"square", "x * x"},
                           Name{"mean_square", "m = mean(x * x)"},
                           Name{"stabilized", "v = m + epsilon"},
                           Name{"log", "ln v"},
                           Name{"scaled_log", "-0.5 * ln v"},
                           Name{"inverse_rms", "r = exp(-0.5 * ln v)"},
                           Name{"normalized", "n = x * r"},
                           Name{"gain", "g"},
                           Name{"output", "y = n * g"}};

std::size_t differing(const tensor::Tensor& a, const tensor::Tensor& b) {
    if (a.shape() != b.shape()) return std::max(a.size(), b.size());
    return numeric::differing_bits(a.values(), b.values());
}

}  // namespace

Stages stages(const LayerCase& layer_case) {
    // First, since it names the stage of an adjoint that overflows.
    const Backward pass = backward(layer_case);
    const nn::RmsNorm norm = layer(layer_case);
    const auto input = autodiff::Value::parameter(layer_case.input);
    auto nodes = autodiff::traced(norm.forward(input), layer_case.upstream);
    Stages evidence;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto& [name, formula] = names.at(i);
        evidence.stages.push_back({std::string(name), std::string(formula),
                                   std::move(nodes[i].value), std::move(nodes[i].adjoint)});
    }
    evidence.checks = {adjoint_check(evidence, pass.input_gradient, pass.gain_gradient)};
    return evidence;
}

Record results(const Stages& evidence) {
    return Record().add("stages", array_of(evidence.stages, [](const Stage& stage) {
                            return Record()
                                .add("stage", stage.name)
                                .add("formula", stage.formula)
                                .add("value", stage.value)
                                .add("adjoint", stage.adjoint);
                        }));
}

Check adjoint_check(const Stages& evidence, const tensor::Tensor& input_gradient,
                    const tensor::Tensor& gain_gradient) {
    std::size_t count = 0;
    for (const Stage& stage : evidence.stages) {
        if (stage.name == "input") count += differing(stage.adjoint, input_gradient);
        if (stage.name == "gain") count += differing(stage.adjoint, gain_gradient);
    }
    return at_most("adjoints", "input and gain have the gradients of backward, bit by bit",
                   static_cast<double>(count), 0);
}

}  // namespace rmsnorm::experiments
