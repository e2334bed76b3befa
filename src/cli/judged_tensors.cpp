#include "cli/judged_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/error.hpp"
#include "cli/input/tensor_input.hpp"
#include "evidence/number_text.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {

struct JudgedTensors::Source {
    std::string origin;
    bool found = false;
    numeric::NumberFormat format = numeric::NumberFormat::binary32;
    std::vector<std::size_t> shape;
    std::size_t elements = 0;
    judge::ElementReader read;
};

namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

// Elements that are stored in a wider format than the one that they are said to be of.
judge::ElementReader checked(judge::ElementReader read, std::string origin,
                             numeric::NumberFormat format) {
    return [read = std::move(read), origin = std::move(origin), format](
               std::size_t first, std::size_t stride, std::span<double> values) {
        read(first, stride, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (numeric::is_in(format, values[i]) || values[i] != values[i]) continue;
            throw InputError(origin + ": element " + std::to_string(first + i * stride + 1) +
                             ": found " + numeric::shortest(values[i]) + "; accepted: numbers of " +
                             std::string(numeric::full_name(format)) + ", as --dtype says");
        }
    };
}

constexpr std::size_t most_named = 20;

// The tensors of a file in words.
std::string held_names(const std::vector<StoredTensor>& tensors) {
    std::vector<std::string> names;
    for (const StoredTensor& tensor : tensors) {
        if (!tensor.name.empty()) names.push_back(quoted(tensor.name));
    }
    if (names.empty()) return "none";
    const std::size_t more = names.size() - std::min(names.size(), most_named);
    names.resize(names.size() - more);
    return listed(names) + (more == 0 ? "" : " and " + std::to_string(more) + " more");
}

// An argument that is not meant for numbers: with letters, of which exponents have one.
bool is_name(const std::string& argument) {
    if (argument.starts_with('[') || argument.starts_with('{')) return false;
    return std::any_of(argument.begin(), argument.end(), [](char c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        return letter && c != 'e' && c != 'E';
    });
}

}  // namespace

JudgedTensors::Source JudgedTensors::stored(const std::string& origin,
                                            const StoredTensor& tensor) const {
    if (tensor.size == 0) {
        throw InputError(origin + ": found dtype " + quoted(tensor.dtype) +
                         "; accepted: F64, F32, F16, BF16");
    }
    Source source{origin,
                  true,
                  tensor.format,
                  tensor.shape,
                  tensor.elements,
                  [&tensor](std::size_t first, std::size_t stride, std::span<double> values) {
                      tensor.read(first, stride, values);
                  }};
    // numpy keeps bfloat16 numbers as binary32 as well.
    if (tensor.name.empty() && arguments_.dtype &&
        numeric::precision(*arguments_.dtype) < numeric::precision(tensor.format)) {
        source.format = *arguments_.dtype;
        source.read = checked(std::move(source.read), origin, source.format);
    }
    return source;
}

JudgedTensors::Source JudgedTensors::from_file(const std::string& origin, const std::string& path) {
    files_.push_back(std::make_unique<FileBytes>(origin, path));
    const std::string_view bytes = files_.back()->bytes();
    if (bytes.substr(0, npy_magic.size()) != npy_magic) return {};
    named_.push_back(parse_npy_tensor(origin, bytes, arguments_.dtype));
    Source source = stored(origin, named_.back());
    takes_dtype_ = takes_dtype_ || source.format == arguments_.dtype;
    return source;
}

JudgedTensors::Source JudgedTensors::from_argument(const std::string& option,
                                                   const std::string& argument) {
    const std::string origin = origin_of(option, argument);
    if (argument.size() > 1 && argument[0] == '@') {
        Source source = from_file(origin, argument.substr(1));
        if (source.found) return source;
    } else if (arguments_.file) {
        for (const StoredTensor& tensor : named_) {
            if (tensor.name == argument) return stored(origin, tensor);
        }
        if (is_name(argument)) {
            throw InputError(option + ": found no tensor " + quoted(argument) + " among " +
                             held_names(named_) + " of " + file_origin_ +
                             "; accepted: one of them, a list, or @FILE");
        }
    }
    takes_dtype_ = true;
    Limits limits;
    limits.adjustable = false;
    const auto values = std::make_shared<tensor::Tensor>(read_tensor(option, argument, limits));
    const numeric::NumberFormat format = arguments_.dtype.value_or(numeric::NumberFormat::binary32);
    for (std::size_t i = 0; i < values->size(); ++i) {
        const double rounded = numeric::round_to(format, (*values)[i]);
        if (std::isinf(rounded)) {
            refuse(origin, "element " + std::to_string(i + 1), numeric::shortest((*values)[i]),
                   evidence::magnitudes_in(format) + ", or a wider --dtype");
        }
        (*values)[i] = rounded;
    }
    return {origin,
            true,
            format,
            values->shape(),
            values->size(),
            [values](std::size_t first, std::size_t stride, std::span<double> elements) {
                for (std::size_t i = 0; i < elements.size(); ++i) {
                    elements[i] = (*values)[first + i * stride];
                }
            }};
}

std::vector<const StoredTensor*> JudgedTensors::held_of(
    const std::vector<std::string>& names) const {
    std::vector<const StoredTensor*> held;
    for (const std::string& name : names) {
        for (const StoredTensor& tensor : named_) {
            if (tensor.name == name) held.push_back(&tensor);
        }
    }
    return held;
}

JudgedTensors::Source JudgedTensors::find(const std::string& option,
                                          const std::optional<std::string>& argument,
                                          const std::vector<std::string>& names, bool required) {
    if (argument) return from_argument(option, *argument);
    const std::vector<const StoredTensor*> held = held_of(names);
    if (held.size() > 1) {
        throw InputError(file_origin_ + ": found both tensor " + quoted(held[0]->name) +
                         " and tensor " + quoted(held[1]->name) + "; accepted: one of " +
                         listed(names) + ", or the one that " + option + " NAME chooses");
    }
    if (!held.empty()) {
        return stored(file_origin_ + ": tensor " + quoted(held[0]->name), *held[0]);
    }
    if (!required) return {};
    if (!arguments_.file) {
        throw InputError("judge: " + option +
                         " is missing; accepted: a list, @FILE, or a "
                         "safetensors file as FILE");
    }
    throw InputError(file_origin_ + ": found no tensor " + quoted(names.front()) + " among " +
                     held_names(named_) + "; accepted: " + listed(names) + ", or " + option +
                     " NAME");
}

JudgedTensors::Source JudgedTensors::find_shaped(const std::string& option,
                                                 const std::optional<std::string>& argument,
                                                 const std::vector<std::string>& names,
                                                 bool required,
                                                 const std::vector<std::size_t>& shape) {
    Source source = find(option, argument, names, required);
    if (source.found && source.shape != shape) {
        throw InputError(source.origin + ": found shape " + tensor::to_text(source.shape) +
                         "; accepted: the input's, " + tensor::to_text(shape));
    }
    return source;
}

void JudgedTensors::read_gradients(const Source& input) {
    const Source of_input = find_shaped("--input-gradient", arguments_.input_gradient,
                                        {"input_gradient", "grad_input", "dx"}, false, input.shape);
    const Source of_gain = find("--gain-gradient", arguments_.gain_gradient,
                                {"gain_gradient", "grad_weight", "dw"}, false);
    const std::vector<std::string> upstream_names = {"upstream", "grad_output", "dy"};
    if (!of_input.found && !of_gain.found) {
        if (!arguments_.upstream) {
            const std::vector<const StoredTensor*> held = held_of(upstream_names);
            if (!held.empty()) unused_upstream_ = held[0]->name;
            return;
        }
        throw InputError(
            "--upstream: found no gradient; accepted: with --input-gradient, --gain-gradient, or "
            "a file that holds one of them");
    }
    const Source upstream =
        find_shaped("--upstream", arguments_.upstream, upstream_names, true, input.shape);
    const std::size_t width = tensors_.width;
    const bool by_row = of_gain.elements != width && of_gain.elements == tensors_.rows * width;
    if (of_gain.found && of_gain.elements != width && !by_row) {
        throw InputError(of_gain.origin + ": found shape " + tensor::to_text(of_gain.shape) +
                         "; accepted: " + std::to_string(width) +
                         " values, the input's width, or the input's shape");
    }
    gradients_.rows = tensors_.rows;
    gradients_.width = width;
    gradients_.formats = {tensors_.formats.input, tensors_.formats.gain, upstream.format,
                          of_input.found ? of_input.format : tensors_.formats.input,
                          of_gain.found ? of_gain.format : tensors_.formats.gain};
    gradients_.epsilon = tensors_.epsilon;
    gradients_.gain_offset = tensors_.gain_offset;
    gradients_.gain = tensors_.gain;
    gradients_.input = input.read;
    gradients_.upstream = upstream.read;
    gradients_.input_gradient = of_input.read;
    gradients_.gain_gradient = of_gain.read;
    gradients_.gain_gradient_by_row = by_row;
}

JudgedTensors::JudgedTensors(const TensorArguments& arguments) : arguments_(arguments) {
    // References into it are kept: one file a tensor at most is added.
    if (arguments_.file) {
        file_origin_ = *arguments_.file == "-" ? "standard input" : *arguments_.file;
        files_.push_back(std::make_unique<FileBytes>(file_origin_, *arguments_.file));
        named_ = parse_safetensors(file_origin_, files_.back()->bytes());
    }
    named_.reserve(named_.size() + 6);
    const Source input = find("--input", arguments_.input, {"input", "x"}, true);
    const Source result =
        find_shaped("--result", arguments_.result, {"output", "y"}, true, input.shape);
    const Source gain = find("--gain", arguments_.gain, {"gain", "weight"}, false);
    tensors_.width = input.shape.empty() ? 1 : input.shape.back();
    tensors_.rows = input.shape.empty()
                        ? 1
                        : tensor::element_count({input.shape.begin(), input.shape.end() - 1});
    tensors_.formats = {input.format, gain.found ? gain.format : input.format, result.format};
    tensors_.epsilon = arguments_.epsilon;
    tensors_.gain_offset = arguments_.gain_offset;
    tensors_.input = input.read;
    tensors_.output = result.read;
    if (!gain.found && arguments_.gain_offset != 0) {
        throw InputError(
            "--gain-offset: found no gain to add it to; accepted: with --gain, or a "
            "file with gain or weight");
    }
    tensors_.gain.assign(tensors_.width, 1);
    if (gain.found) {
        if (gain.elements != tensors_.width) {
            throw InputError(gain.origin + ": found shape " + tensor::to_text(gain.shape) +
                             "; accepted: " + std::to_string(tensors_.width) +
                             " values, the input's width");
        }
        gain.read(0, 1, tensors_.gain);
        const numeric::NumberFormat arithmetic = tensors_.formats.arithmetic();
        for (std::size_t i = 0; i < tensors_.gain.size(); ++i) {
            const auto place = [i] { return "element " + std::to_string(i + 1); };
            if (!std::isfinite(tensors_.gain[i])) {
                refuse(gain.origin, place(), numeric::shortest(tensors_.gain[i]), "finite numbers");
            }
            const double effective = arguments_.gain_offset + tensors_.gain[i];
            if (std::isinf(numeric::round_to(arithmetic, effective))) {
                refuse("--gain-offset", "",
                       numeric::shortest(arguments_.gain_offset) + ", which gives " +
                           numeric::shortest(effective) + " with " + place() + " of the gain",
                       "sums of " + evidence::magnitudes_in(arithmetic));
            }
        }
    }
    read_gradients(input);
    if (arguments_.dtype && !takes_dtype_) {
        throw InputError(
            "--dtype: found only tensors with formats of their own; accepted: with a list, text, "
            "JSON, or a .npy file of two-byte elements or of a wider format");
    }
}

}  // namespace rmsnorm::cli
