#include "experiments/rmsnorm/batch.hpp"

#include "evidence/layer_checks.hpp"
#include "evidence/replay.hpp"
#include "numeric/bits.hpp"

namespace rmsnorm::experiments {
namespace {

tensor::Tensor output_of(const nn::RmsNorm& norm, tensor::Tensor input) {
    return norm.forward(autodiff::Value::constant(std::move(input))).tensor();
}

// How many output values differ in a bit from those of their row normalized alone.
std::size_t dependent_values(const LayerCase& layer_case, const tensor::Tensor& output) {
    const nn::RmsNorm norm = layer(layer_case);
    const std::size_t width = norm.feature_width();
    const auto values = layer_case.input.values();
    std::size_t different = 0;
    for (std::size_t start = 0; start < values.size(); start += width) {
        const auto row = values.subspan(start, width);
        const tensor::Tensor alone =
            output_of(norm, tensor::Tensor::vector({row.begin(), row.end()}));
        different += numeric::differing_bits(alone.values(), output.values().subspan(start, width));
    }
    return different;
}

}  // namespace

Batch batch(const LayerCase& layer_case) {
    const nn::RmsNorm norm = layer(layer_case);
    Batch evidence{.epsilon = layer_case.epsilon,
                   .input = layer_case.input,
                   .gain = layer_case.gain,
                   .gain_name = layer_case.gain_name,
                   .output = output_of(norm, layer_case.input),
                   .empty_output = output_of(norm, tensor::Tensor({0, norm.feature_width()}, {})),
                   .checks = {}};
    evidence.checks = {row_independence(layer_case, evidence.output),
                       empty_batch(evidence.empty_output, norm.feature_width())};
    return evidence;
}

Batch checked_batch(const LayerCase& layer_case) {
    Batch evidence = replayed([&] { return batch(layer_case); });
    const auto pass =
        layer(layer_case).forward_with_intermediates(autodiff::Value::constant(layer_case.input));
    evidence.checks.push_back(
        closed_form_check(layer_case.input, layer_case.epsilon, pass.normalized.tensor()));
    return evidence;
}

Check row_independence(const LayerCase& layer_case, const tensor::Tensor& output) {
    return at_most("row-independence", "each row alone has the bits that it has in the batch",
                   static_cast<double>(dependent_values(layer_case, output)), 0);
}

Check empty_batch(const tensor::Tensor& empty_output, std::size_t feature_width) {
    const tensor::Shape expected{0, feature_width};
    return at_most("empty-batch", "a batch without rows keeps its shape",
                   empty_output.shape() == expected ? 0 : 1, 0);
}

Record results(const Batch& evidence) { return Record().add("batch", batch_record(evidence)); }

Record batch_record(const Batch& evidence) {
    return Record().add("input", evidence.input).add("output", evidence.output).add("axis", "last");
}

std::string text(const Batch& e, Extent extent) {
    return Lines(extent).line("batch_output").shaped(e.output).str();
}

}  // namespace rmsnorm::experiments
