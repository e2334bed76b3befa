#include "experiments/exhibit/explanation.hpp"

#include <cmath>

#include "evidence/derivation.hpp"
#include "experiments/norm_steps.hpp"
#include "nn/normalization.hpp"

namespace rmsnorm::experiments {
namespace {

using evidence::Derivation;

void explain(Derivation& steps, const std::string& norm, const Comparison& evidence,
             std::optional<double> mean, double square, const std::vector<double>& normalized,
             const tensor::Tensor& output) {
    const double epsilon = evidence.inputs.epsilon;
    const double stabilized = square + epsilon;
    const auto x = evidence.vector.values();
    steps.heading(norm + ": x = " + steps.list(x));
    explain_norm(steps,
                 {.x = x,
                  .mean = mean,
                  .square = square,
                  .epsilon = epsilon,
                  .stabilized = stabilized,
                  .root = std::sqrt(stabilized),
                  .normalized = normalized},
                 Root::divisor);
    explain_gain(steps, normalized, evidence.inputs.gain.values(), output.values());
}

}  // namespace

std::string explanation(const Comparison& evidence, Extent extent) {
    const auto& inputs = evidence.inputs;
    const auto x = evidence.vector.values();
    Derivation steps(extent);
    if (inputs.scale != 1 || inputs.offset != 0) {
        steps.heading("The vector: u = " + steps.list(inputs.input.values()));
        steps.step(
            "scale and offset", "x_i = scale * u_i + offset",
            [&](const evidence::Written& w) {
                return w.given_term(inputs.scale) * w.given_list(inputs.input.values()) +
                       w.given_term(inputs.offset);
            },
            x);
    }
    explain(steps, "LayerNorm", evidence, evidence.mean, evidence.variance,
            nn::layer_norm(x, inputs.epsilon), evidence.layer_norm);
    explain(steps, "RMSNorm", evidence, {}, evidence.mean_square, nn::rms_norm(x, inputs.epsilon),
            evidence.rms_norm);
    steps.notes(notes(evidence));
    return steps.str();
}

}  // namespace rmsnorm::experiments
