#include "cli/experiment_inputs.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "cli/choices.hpp"
#include "cli/error.hpp"
#include "cli/input/tensor_input.hpp"
#include "cli/input/tensor_json.hpp"
#include "cli/input_values.hpp"
#include "cli/numbers.hpp"
#include "evidence/number_text.hpp"
#include "experiments/explained.hpp"

namespace rmsnorm::cli {
namespace {

using evidence::Input;
using tensor::Tensor;

// How the help shows a value that was not given.
struct Default {
    std::string operator()(const bool*) const { return ""; }
    std::string operator()(const std::string* text) const { return *text; }
    std::string operator()(const double* number) const { return evidence::given_text(*number); }
    std::string operator()(const float* number) const { return evidence::given_text(*number); }
    template <class Number>
    std::string operator()(const std::optional<Number>* number) const {
        return *number ? (*this)(&**number) : "";
    }
    std::string operator()(const std::size_t* count) const { return std::to_string(*count); }
    std::string operator()(const Tensor* values) const {
        // A list is one row: values of another shape say which.
        return listed_numbers(values->values()) +
               (values->rank() == 1 ? "" : " of shape " + tensor::to_text(values->shape()));
    }
    template <class Number>
    std::string operator()(const std::vector<Number>* values) const {
        if constexpr (std::is_arithmetic_v<Number>) {
            return listed_numbers(*values);
        } else {
            return "none";
        }
    }

  private:
    template <class Numbers>
    static std::string listed_numbers(const Numbers& values) {
        std::string text;
        for (auto value : values) {
            text += text.empty() ? "" : ",";
            if constexpr (std::is_integral_v<decltype(value)>) {
                text += std::to_string(value);
            } else {
                text += evidence::given_text(value);
            }
        }
        return text;
    }
};

struct ValueName {
    std::string operator()(const bool*) const { return ""; }
    std::string operator()(const std::string*) const { return "NAME"; }
    std::string operator()(const std::vector<std::string>*) const { return "NAME"; }
    std::string operator()(const std::vector<double>*) const { return "NUMBERS"; }
    std::string operator()(const std::vector<std::size_t>*) const { return "LIST"; }
    template <class Number>
    std::string operator()(const std::optional<Number>*) const {
        return "NUMBER";
    }
    template <class Other>
    std::string operator()(const Other*) const {
        if constexpr (std::is_floating_point_v<Other>) return "NUMBER";
        if constexpr (std::is_integral_v<Other>) return "COUNT";
        return "VALUES";
    }
};

bool holds_values(const Input& input) {
    return std::holds_alternative<Tensor*>(input.target) ||
           std::holds_alternative<std::vector<float>*>(input.target) ||
           std::holds_alternative<std::vector<double>*>(input.target) ||
           std::holds_alternative<std::vector<Tensor>*>(input.target);
}

bool repeatable(const Input& input) {
    return std::holds_alternative<std::vector<std::string>*>(input.target) ||
           std::holds_alternative<std::vector<Tensor>*>(input.target);
}

std::string value_name(const Input& input) {
    if (!input.accepted.value_name.empty()) return std::string(input.accepted.value_name);
    return input.accepted.is_shape ? "SHAPE" : std::visit(ValueName{}, input.target);
}

// What a case or a document gives, but for the inputs that an option gave.
void read_members(std::vector<Input>& inputs, std::vector<std::string>& origins,
                  const JsonNode& object, const std::string& origin, bool only_known,
                  std::size_t max_elements) {
    std::vector<std::string_view> keys;
    for (const Input& input : inputs) keys.push_back(input.key);
    if (only_known) require_known_keys(object, keys);
    std::optional<tensor::Shape> shape;
    for (const Input& input : inputs) {
        const auto found = input.accepted.is_shape ? object.find(input.key) : std::nullopt;
        if (found) shape = shape_of(*found);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].given) continue;
        const auto found = object.find(inputs[i].key);
        if (!found) continue;
        origins[i] = origin + found->where();
        set_from_json(inputs[i], origins[i], *found, shape, max_elements);
        inputs[i].given = true;
    }
}

std::string accepted_keys(const std::vector<Input>& inputs) {
    std::string text = "an object with any of the keys ";
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        text.append(i == 0 ? "" : ", ").append(quoted(inputs[i].key));
    }
    return text;
}

void read_case(std::vector<Input>& inputs, std::vector<std::string>& origins,
               const std::string& path, std::size_t most) {
    const auto tensors =
        static_cast<std::size_t>(std::count_if(inputs.begin(), inputs.end(), holds_values));
    const std::string accepted = accepted_keys(inputs);
    const JsonNode node = read_json("--case", path, accepted, tensors + 1, {.max_elements = most});
    if (!node.is(JsonKind::object)) throw node.refusal(accepted);
    const auto document = node.find("inputs");
    if (document && !document->is(JsonKind::object)) throw document->refusal(accepted);
    const bool standard_input = path == "-";
    const std::string origin = standard_input ? "--case -: " : "--case " + printable(path) + ": ";
    read_members(inputs, origins, document ? *document : node, origin, !document, most);
}

void complete(evidence::Experiment& experiment, const NamedInputs& read, std::size_t most) {
    read.explain([&] { experiment.complete(evidence::Given(read.inputs, most)); });
}

}  // namespace

bool has_option(const Input& input) {
    return !input.accepted.internal &&
           !std::holds_alternative<std::vector<evidence::Record>*>(input.target);
}

std::vector<Option> input_options(const std::vector<Input>& inputs) {
    std::vector<Option> options;
    bool limited = false;
    for (const Input& input : inputs) {
        if (!has_option(input)) continue;
        limited = limited || input.accepted.most == 0 ||
                  (holds_values(input) && input.accepted.most_elements == 0);
        std::string names = input.option();
        if (!input.accepted.alias.empty()) {
            names = std::string(input.accepted.alias) + "," + names;
        }
        options.push_back({.names = std::move(names),
                           .value_name = value_name(input),
                           .help = input.help,
                           .default_text = input.accepted.shown_default.empty()
                                               ? std::visit(Default{}, input.target)
                                               : input.accepted.shown_default,
                           .check = check_of(input),
                           .repeatable = repeatable(input),
                           .choices = choices_of(input)});
    }
    if (inputs.empty()) return options;
    options.push_back(
        {.names = "--case",
         .value_name = "FILE",
         .help = "a JSON object of inputs, or a document that this program wrote; options "
                 "override it",
         .default_text = ""});
    if (limited) {
        options.push_back({.names = "--max-elements",
                           .value_name = "COUNT",
                           .help = "the largest number of values in a tensor",
                           .default_text = std::to_string(Limits{}.max_elements)});
    }
    return options;
}

void NamedInputs::refuse(const evidence::InputRejection& rejection) const {
    std::string names;
    for (const std::string& key : rejection.keys()) {
        const auto found = std::find_if(inputs.begin(), inputs.end(),
                                        [&](const Input& input) { return input.key == key; });
        const auto at = static_cast<std::size_t>(found - inputs.begin());
        names.append(names.empty() ? "" : ", ").append(at < origins.size() ? origins[at] : key);
    }
    throw InputError(names + ": " + rejection.what());
}

void NamedInputs::explain(const std::function<void()>& run) const {
    try {
        run();
    } catch (const evidence::InputRejection& rejection) {
        refuse(rejection);
    } catch (const nn::RmsNormError& error) {
        refuse(experiments::explained(inputs, error));
    } catch (const nn::NormalizationError& error) {
        refuse(experiments::explained(inputs, error));
    } catch (const autodiff::AutodiffError& error) {
        refuse(experiments::explained(inputs, error));
    }
}

std::size_t max_elements(const std::vector<Option>& options) {
    const auto& words = values_of(options, "--max-elements");
    constexpr auto most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
    return words.empty() ? Limits{}.max_elements
                         : parse_count("--max-elements", words.front(), 1, most);
}

NamedInputs read_some_inputs(evidence::Experiment& experiment, const std::vector<Option>& options,
                             std::string_view left_out) {
    NamedInputs read{experiment.inputs(), {}};
    std::vector<std::string> files = {"--case", "--answers"};
    for (const Input& input : read.inputs) {
        if (holds_values(input)) files.push_back(input.option());
    }
    require_one_reader(options, files);
    const std::size_t most = max_elements(options);
    for (const Input& input : read.inputs) read.origins.push_back(input.option());
    for (std::size_t i = 0; i < read.inputs.size(); ++i) {
        Input& input = read.inputs[i];
        const std::vector<std::string>& words = values_of(options, input.option());
        if (words.empty()) continue;
        input.given = true;
        if (holds_values(input)) read.origins[i] = origin_of(input.option(), words.front());
        if (input.key == left_out) continue;
        set_from_words(input, words, most);
    }
    const auto& cases = values_of(options, "--case");
    if (!cases.empty()) read_case(read.inputs, read.origins, cases.front(), most);
    return read;
}

NamedInputs read_inputs(evidence::Experiment& experiment, const std::vector<Option>& options) {
    NamedInputs read = read_some_inputs(experiment, options, {});
    complete(experiment, read, max_elements(options));
    return read;
}

NamedInputs read_inputs(evidence::Experiment& experiment, const JsonNode& object,
                        const std::string& file) {
    NamedInputs read{experiment.inputs(), {}};
    const std::string origin = printable(file) + ": ";
    for (const Input& input : read.inputs) {
        read.origins.push_back(origin + "/inputs/" + std::string(input.key));
    }
    read_members(read.inputs, read.origins, object, origin, true, Limits{}.max_elements);
    complete(experiment, read, Limits{}.max_elements);
    return read;
}

}  // namespace rmsnorm::cli
