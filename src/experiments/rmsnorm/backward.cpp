#include "experiments/rmsnorm/backward.hpp"

#include <array>
#include <variant>

#include "autodiff/backward.hpp"
#include "evidence/layer_checks.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::experiments {
namespace {

// The tracked nodes of the layer's graph, operands before the nodes that use them; the input and
// the gain stand for the stages that take them.
nn::RmsNormStage stage_at(std::size_t place) {
    using Stage = nn::RmsNormStage;
    constexpr std::array stages{Stage::square,          Stage::square,          Stage::mean_square,
                                Stage::stabilize,       Stage::log_mean_square, Stage::scale_log,
                                Stage::reciprocal_root, Stage::normalize,       Stage::apply_gain,
                                Stage::apply_gain};
    return stages.at(place);
}

}  // namespace

Backward backward(const LayerCase& layer_case) {
    const nn::RmsNorm norm = layer(layer_case);
    const auto input = autodiff::Value::parameter(layer_case.input);
    const autodiff::Value output = norm.forward(input);
    try {
        autodiff::backward(output, layer_case.upstream);
    } catch (const autodiff::AutodiffError& error) {
        const auto* adjoint = std::get_if<autodiff::NonFiniteAdjoint>(&error.rejection());
        if (adjoint == nullptr) throw;
        throw nn::RmsNormError(nn::TapeFailure{stage_at(adjoint->place), error});
    }
    return {.epsilon = layer_case.epsilon,
            .input = layer_case.input,
            .gain = layer_case.gain,
            .gain_name = layer_case.gain_name,
            .upstream = layer_case.upstream,
            .input_gradient = input.gradient(),
            .gain_gradient = norm.gain().value().gradient(),
            .checks = {}};
}

Backward checked_backward(const LayerCase& layer_case) {
    Backward evidence = replayed([&] { return backward(layer_case); });
    evidence.checks.push_back(input_gradient_check(layer_case, evidence.input_gradient));
    evidence.checks.push_back(gain_gradient_check(layer_case, evidence.gain_gradient));
    const auto pass =
        layer(layer_case).forward_with_intermediates(autodiff::Value::constant(layer_case.input));
    evidence.checks.push_back(
        closed_form_check(layer_case.input, layer_case.epsilon, pass.normalized.tensor()));
    evidence.checks.push_back(row_independence_check(layer_case, pass.output.tensor()));
    return evidence;
}

Record results(const Backward& evidence) {
    return Record().add("backward", backward_record(evidence));
}

Record backward_record(const Backward& evidence) {
    return Record()
        .add("upstream", evidence.upstream)
        .add("input_gradient", evidence.input_gradient)
        .add("gain_gradient", evidence.gain_gradient);
}

std::string text(const Backward& e, Extent extent) {
    Lines lines(extent);
    lines.line("upstream").shaped(e.upstream);
    lines.vector("input_gradient", e.input_gradient);
    lines.vector("gain_gradient", e.gain_gradient);
    return lines.str();
}

}  // namespace rmsnorm::experiments
