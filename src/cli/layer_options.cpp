#include "cli/layer_options.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/error.hpp"
#include "cli/input/case.hpp"
#include "cli/input/tensor_input.hpp"
#include "cli/input/text.hpp"
#include "cli/numbers.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

using tensor::Tensor;

constexpr std::string_view values_help = "a list such as 3,4, @FILE (.npy, JSON or text), or -";

// Values and where they came from, for messages.
struct Given {
    std::string origin;
    Tensor values;
};

// The case that the options name, if they do.
struct OpenCase {
    Case values;
    std::string origin;
    Limits limits;

    std::string name_of(const char* key) const { return origin + ": " + key; }
};

OpenCase open_case(const LayerOptions& layer) {
    require_one_reader({layer.input, layer.gain, layer.upstream, layer.case_path});
    OpenCase open{
        {}, "", {.max_elements = layer.max_elements, .empty_allowed = layer.empty_allowed}};
    if (!layer.case_path) return open;
    open.values = read_case("--case", *layer.case_path, open.limits);
    open.origin = "--case " + printable(*layer.case_path);
    const auto& epsilon = open.values.epsilon;
    if (epsilon && !within(*epsilon, Range::nonnegative)) {
        throw InputError(open.name_of("epsilon") + ": found " + numeric::shortest(*epsilon) +
                         "; accepted: " + described(Range::nonnegative));
    }
    return open;
}

// What the option or else the case gives.
std::optional<Given> given(const char* key, const std::optional<std::string>& argument,
                           const OpenCase& open, const std::optional<Tensor>& in_case) {
    const std::string option = std::string("--") + key;
    if (argument) {
        return Given{origin_of(option, *argument), read_tensor(option, *argument, open.limits)};
    }
    if (in_case) return Given{open.name_of(key), *in_case};
    return std::nullopt;
}

[[noreturn]] void refuse_shape(const std::string& origin, const Tensor& values,
                               const std::string& accepted) {
    throw InputError(
        {origin, "",
         std::to_string(values.size()) + " values of shape " + tensor::to_text(values.shape()),
         accepted});
}

Tensor reshaped(const Tensor& tensor, const tensor::Shape& shape) {
    const auto values = tensor.values();
    return Tensor(shape, {values.begin(), values.end()});
}

// The shape of an input of `count` values: the option's or the case's where one is set.
tensor::Shape shape_of(const LayerOptions& layer, const OpenCase& open, const std::string& origin,
                       const tensor::Shape& own, std::size_t count) {
    const auto& set = layer.shape ? layer.shape : open.values.shape;
    if (set && tensor::element_count(*set) != count) {
        throw InputError((layer.shape ? "--shape" : open.name_of("shape")) + ": found " +
                         tensor::to_text(*set) + " for " + std::to_string(count) +
                         " values; accepted: a shape whose product is the number of values");
    }
    const tensor::Shape& shape = set ? *set : own;
    if (shape.empty()) {
        throw InputError(origin +
                         ": found a single number of shape []; accepted: at least one axis, as "
                         "--shape 1 gives it");
    }
    if (shape.back() == 0) {
        throw InputError(origin + ": found rows without a feature, shape " +
                         tensor::to_text(shape) +
                         "; accepted: at least one feature, in any number of rows");
    }
    return shape;
}

Tensor gain_of(std::optional<Given> found, std::size_t width, const Tensor& default_gain) {
    if (!found) {
        return default_gain.size() == width ? default_gain : Tensor::filled({width}, 1.0);
    }
    if (found->values.shape() != tensor::Shape{width}) {
        refuse_shape(found->origin, found->values,
                     "the input's feature width, " + std::to_string(width) + " values of shape [" +
                         std::to_string(width) + "]");
    }
    return std::move(found->values);
}

// A plain list takes the input's shape.
Tensor upstream_of(std::optional<Given> found, const tensor::Shape& shape,
                   const Tensor& default_upstream) {
    if (!found) {
        return default_upstream.shape() == shape ? default_upstream : Tensor::filled(shape, 1.0);
    }
    const Tensor& values = found->values;
    const bool fits = values.shape() == shape ||
                      (values.rank() == 1 && values.size() == tensor::element_count(shape));
    if (!fits) {
        refuse_shape(found->origin, values, "the input's shape " + tensor::to_text(shape));
    }
    return reshaped(values, shape);
}

// All of the case but the input and its adjoint.
evidence::LayerCase layer_of(const LayerOptions& layer, const OpenCase& open,
                             const evidence::LayerCase& defaults, std::size_t width) {
    return {{},
            gain_of(given("gain", layer.gain, open, open.values.gain), width, defaults.gain),
            {},
            layer.epsilon.value_or(open.values.epsilon.value_or(defaults.epsilon)),
            layer.gain_name.value_or(open.values.gain_name.value_or(defaults.gain_name))};
}

}  // namespace

void add_layer_options(std::vector<Option>& options, const std::shared_ptr<LayerOptions>& layer,
                       LayerPart part, const evidence::LayerCase& defaults) {
    const auto text_option = [&](const char* name, const char* value_name, std::string help,
                                 std::string default_text, std::optional<std::string>& target) {
        options.push_back({.names = name,
                           .value_name = value_name,
                           .help = std::move(help),
                           .default_text = std::move(default_text),
                           .accept = [layer, &target](const std::string& text) { target = text; }});
    };
    const std::string values(values_help);
    // A list is one row: values of another shape say which.
    const bool one_row = defaults.input.rank() == 1;
    const std::string shape = tensor::to_text(defaults.input.shape());
    text_option("--input", values_name, "the input, [..., d]: " + values,
                list_text(defaults.input) + (one_row ? "" : " of shape " + shape), layer->input);
    options.push_back(
        {.names = "--shape",
         .value_name = "SHAPE",
         .help = "the input's shape, such as 2,8",
         .default_text = one_row ? "as the input is written" : shape + ", or as --input is written",
         .accept = [layer](const std::string& text) {
             layer->shape = parse_shape("--shape", text);
         }});
    text_option("--gain", values_name, "the gain, [d]: " + values,
                list_text(defaults.gain) + " for width " + std::to_string(defaults.gain.size()) +
                    ", else ones",
                layer->gain);
    options.push_back({.names = "--gain-name",
                       .value_name = "NAME",
                       .help = "the gain's parameter name",
                       .default_text = defaults.gain_name,
                       .accept = [layer](const std::string& name) {
                           try {
                               nn::validate_parameter_name(name);
                           } catch (const nn::ParameterNameError& error) {
                               throw InputError(std::string("--gain-name: ") + error.what());
                           }
                           layer->gain_name = name;
                       }});
    if (part == LayerPart::gain_and_upstream) {
        text_option("--upstream", values_name,
                    "the adjoint of the output, in the input's shape: " + values,
                    list_text(defaults.upstream) + " for shape " +
                        tensor::to_text(defaults.upstream.shape()) + ", else ones",
                    layer->upstream);
    }
    options.push_back(epsilon_option(layer->epsilon, defaults.epsilon));
    text_option("--case", "FILE",
                "a JSON object with any of shape, input, gain, upstream, epsilon; options go "
                "before it",
                "", layer->case_path);
    options.push_back(max_elements_option(layer->max_elements));
}

evidence::LayerCase read_layer_case(const LayerOptions& layer, const evidence::LayerCase& defaults,
                                    std::optional<Tensor> input_values) {
    const OpenCase open = open_case(layer);
    Given input{"--input", defaults.input};
    if (input_values) {
        input = {origin_of("--input", layer.input.value_or("")), *std::move(input_values)};
    } else if (auto found = given("input", layer.input, open, open.values.input)) {
        input = *std::move(found);
    }
    const tensor::Shape shape =
        shape_of(layer, open, input.origin, input.values.shape(), input.values.size());
    evidence::LayerCase layer_case = layer_of(layer, open, defaults, shape.back());
    layer_case.upstream = upstream_of(given("upstream", layer.upstream, open, open.values.upstream),
                                      shape, defaults.upstream);
    layer_case.input =
        input.values.shape() == shape ? std::move(input.values) : reshaped(input.values, shape);
    return layer_case;
}

LayerForShape read_layer(const LayerOptions& layer, const evidence::LayerCase& defaults,
                         const std::string& origin, const tensor::Shape& shape,
                         std::size_t elements) {
    const OpenCase open = open_case(layer);
    tensor::Shape used = shape_of(layer, open, origin, shape, elements);
    evidence::LayerCase layer_case = layer_of(layer, open, defaults, used.back());
    return {std::move(layer_case), std::move(used)};
}

Option epsilon_option(std::optional<double>& epsilon, double default_value) {
    return {.names = "--epsilon",
            .value_name = "NUMBER",
            .help = "added to the mean square; from 0",
            .default_text = number_text(default_value),
            .accept = [&epsilon](const std::string& text) {
                epsilon = parse_number("--epsilon", text, Range::nonnegative);
            }};
}

Option max_elements_option(std::size_t& max_elements) {
    return {.names = "--max-elements",
            .value_name = "COUNT",
            .help = "the most values that a tensor may have",
            .default_text = std::to_string(max_elements),
            .accept = [&max_elements](const std::string& text) {
                constexpr auto most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
                max_elements = parse_count("--max-elements", text, 1, most);
            }};
}

void require_one_reader(const std::vector<std::optional<std::string>>& arguments) {
    if (std::count(arguments.begin(), arguments.end(), "-") > 1) {
        throw InputError(
            "standard input (-) is named more than once; accepted: once, since it can be read "
            "once only");
    }
}

Tensor read_vector(std::string_view option, const std::string& argument, const Limits& limits) {
    Tensor values = read_tensor(option, argument, limits);
    if (values.rank() != 1) {
        refuse_shape(origin_of(option, argument), values, "one vector, of rank 1");
    }
    return values;
}

std::string list_text(const Tensor& values) {
    std::string text;
    for (const double value : values.values()) {
        text.append(text.empty() ? "" : ",").append(number_text(value));
    }
    return text;
}

std::string number_text(double value) {
    std::string text = numeric::shortest(value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

}  // namespace rmsnorm::cli
