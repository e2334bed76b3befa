#include "evidence/forward.hpp"

#include "evidence/layer_checks.hpp"

namespace rmsnorm::evidence {
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

Record inputs(const Forward& evidence) {
    return Record()
        .add("input", evidence.input)
        .add("gain", evidence.gain)
        .add("gain_name", evidence.gain_name)
        .add("epsilon", setting(evidence.epsilon));
}

Record results(const Forward& evidence) {
    return Record().add("primary", primary_record(evidence));
}

Record primary_record(const Forward& evidence) {
    return Record()
        .add("input", evidence.input)
        .add("mean_square", evidence.mean_square)
        .add("inverse_rms", evidence.inverse_rms)
        .add("normalized", evidence.normalized)
        .add("gain", evidence.gain)
        .add("output", evidence.output)
        .add("normalized_mean_square", evidence.normalized_mean_square);
}

}  // namespace rmsnorm::evidence
