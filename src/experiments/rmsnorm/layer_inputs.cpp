#include "experiments/rmsnorm/layer_inputs.hpp"

#include <string>
#include <utility>

#include "evidence/number_text.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "nn/parameter.hpp"

namespace rmsnorm::experiments {
namespace {

using tensor::Shape;
using tensor::Tensor;

std::string counted(const Tensor& values) {
    return "found " + evidence::counted(values.size(), "value") + " of shape " +
           tensor::to_text(values.shape());
}

Tensor reshaped(const Tensor& tensor, Shape shape) {
    const auto values = tensor.values();
    return Tensor(std::move(shape), {values.begin(), values.end()});
}

}  // namespace

LayerInputs::LayerInputs() : LayerCase(chapter_values::layer_case()) {}

BatchInputs::BatchInputs() { input = chapter_values::rows(); }

std::vector<Input> LayerInputs::declared() {
    const std::string values = "a list such as 3,4, @FILE (.npy, JSON or text), or -";
    return {{"input", &input, "the input, [..., d]: " + values, {.takes_shape = true}},
            {"shape",
             &shape,
             "the input's shape, such as 2,8",
             {.shown_default = input.rank() == 1
                                   ? "as the input is written"
                                   : tensor::to_text(input.shape()) + ", or as --input is written",
              .is_shape = true,
              .recorded = false}},
            {"gain",
             &gain,
             "the gain, [d]: " + values,
             {.shown_default = "1.5,0.5, and ones beside another input"}},
            {"gain_name", &gain_name, "the gain's parameter name", {.value_name = "NAME"}},
            {"epsilon",
             &epsilon,
             "added to the mean square; 0 or more",
             {.range = Range::nonnegative}}};
}

std::vector<Input> BackwardInputs::declared() {
    std::vector<Input> inputs = LayerInputs::declared();
    inputs.insert(inputs.end() - 1,
                  {"upstream",
                   &upstream,
                   "the adjoint of the output, of the input's shape: a list, @FILE or -",
                   {.shown_default = "1,-2, and ones beside another input", .takes_shape = true}});
    return inputs;
}

tensor::Shape LayerInputs::complete_for(Shape whole, const Given& given) {
    if (given("shape")) {
        if (tensor::element_count(shape) != tensor::element_count(whole)) {
            throw InputRejection({"shape"},
                                 "found " + tensor::to_text(shape) + " for " +
                                     evidence::counted(tensor::element_count(whole), "value"),
                                 "a shape whose product is the number of values");
        }
        whole = shape;
    }
    if (whole.empty()) {
        throw InputRejection({"input"}, "found a single number of shape []",
                             "at least one axis, as --shape 1 gives it");
    }
    if (whole.back() == 0) {
        throw InputRejection({"input"},
                             "found rows without a feature, shape " + tensor::to_text(whole),
                             "at least one feature, in any number of rows");
    }
    const std::size_t width = whole.back();
    if (!given("gain")) {
        if (given("input") || gain.size() != width) gain = Tensor::filled({width}, 1.0);
    } else if (gain.shape() != Shape{width}) {
        throw InputRejection({"gain"}, counted(gain),
                             "the input's feature width, " + std::to_string(width) +
                                 " values of shape [" + std::to_string(width) + "]");
    }
    try {
        nn::validate_parameter_name(gain_name);
    } catch (const nn::ParameterNameError& error) {
        throw InputRejection({"gain_name"}, error.what(),
                             "a name such as decoder.block.0.attention_norm.gain");
    }
    return whole;
}

void LayerInputs::complete(const Given& given) {
    Shape whole = complete_for(input.shape(), given);
    if (input.shape() != whole) input = reshaped(input, whole);
    if (!given("upstream")) {
        if (given("input") || upstream.shape() != whole) upstream = Tensor::filled(whole, 1.0);
    } else if (upstream.shape() != whole) {
        if (upstream.rank() != 1 || upstream.size() != input.size()) {
            throw InputRejection({"upstream"}, counted(upstream),
                                 "the input's shape " + tensor::to_text(whole));
        }
        upstream = reshaped(upstream, std::move(whole));
    }
}

}  // namespace rmsnorm::experiments
