#include "experiments/rmsnorm/forward.hpp"

#include "evidence/layer_checks.hpp"

namespace rmsnorm::experiments {
namespace {

double mean_square_of(const tensor::Tensor& values) {
    double sum = 0;
    for (const double value : values.values()) sum += value * value;
    return values.size() == 0 ? 0.0 : sum / static_cast<double>(values.size());
}

}  // namespace

Forward forward(const LayerCase& layer_case) {
    const nn::RmsNorm norm = layer(layer_case);
    const auto pass = norm.forward_with_intermediates(autodiff::Value::constant(layer_case.input));
    const tensor::Tensor& normalized = pass.normalized.tensor();
    return {.epsilon = layer_case.epsilon,
            .input = layer_case.input,
            .mean_square = pass.mean_square.tensor(),
            .inverse_rms = pass.inverse_rms.tensor(),
            .normalized = normalized,
            .gain = layer_case.gain,
            .gain_name = layer_case.gain_name,
            .output = pass.output.tensor(),
            .normalized_mean_square = mean_square_of(normalized),
            .checks = {closed_form_check(layer_case.input, layer_case.epsilon, normalized),
                       row_independence_check(layer_case, pass.output.tensor())}};
}

Record results(const Forward& evidence) {
    // A batch without rows has no mean.
    const bool rows = evidence.normalized.size() > 0;
    return Record().add("primary",
                        primary_record(evidence, rows ? Presence::present : Presence::absent));
}

Record primary_record(const Forward& evidence, Presence mean) {
    return Record()
        .add("input", evidence.input)
        .add("mean_square", evidence.mean_square)
        .add("inverse_rms", evidence.inverse_rms)
        .add("normalized", evidence.normalized)
        .add("gain", evidence.gain)
        .add("output", evidence.output)
        .add("normalized_mean_square", evidence.normalized_mean_square, mean);
}

std::string text(const Forward& e, Extent extent) {
    return pass_lines(e, extent) + rms_target_line(e, extent);
}

std::string pass_lines(const Forward& e, Extent extent) {
    Lines lines(extent);
    lines.line("input").shaped(e.input);
    lines.line("mean_square").shaped(e.mean_square);
    lines.line("inverse_rms").shaped(e.inverse_rms);
    lines.line("normalized").shaped(e.normalized);
    lines.line("gain").shaped(e.gain);
    lines.line("output").shaped(e.output);
    return lines.str();
}

std::string rms_target_line(const Forward& e, Extent extent) {
    // A batch without rows has no mean.
    if (e.normalized.size() == 0) return "";
    return Lines(extent)
        .line("rms_target")
        .part("normalized_mean_square", e.normalized_mean_square)
        .str();
}

}  // namespace rmsnorm::experiments
