#include "cli/experiment.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cli/choices.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/experiment_inputs.hpp"
#include "cli/forward_npy.hpp"
#include "cli/npy_output.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "pages/pages.hpp"
#include "report/json.hpp"

namespace rmsnorm::cli {
namespace {

using experiments::Entry;
using experiments::Kind;

// The experiment whose inputs another fixture fixes: `compare --fixture 23-normalization`.
struct Variant {
    std::string_view fixture;
    const Entry* entry;
};

std::optional<Variant> variant_of(const Entry& entry) {
    for (const Entry& other : experiments::all()) {
        if (other.kind != Kind::variant) continue;
        const std::string_view prefix = other.name.substr(0, entry.name.size());
        if (prefix == entry.name && other.name[prefix.size()] == '-') {
            return Variant{other.name.substr(prefix.size() + 1), &other};
        }
    }
    return std::nullopt;
}

struct NamedTensor {
    std::string record;  // in which it stands
    std::string key;
    const tensor::Tensor* tensor;
};

void collect(const std::string& name, const evidence::Record& record,
             std::vector<NamedTensor>& tensors) {
    for (const evidence::Field& field : record.fields) {
        if (field.presence == evidence::Presence::absent) continue;
        if (const auto* figures = std::get_if<evidence::TensorFigure>(&field.datum.value)) {
            tensors.push_back({name, field.key, &figures->tensor});
        } else if (const auto* inner = std::get_if<evidence::Record>(&field.datum.value)) {
            collect(field.key, *inner, tensors);
        }
    }
}

// By the key, which the record's name leads where another tensor has the same.
std::vector<std::string> names_of_tensors(const std::vector<NamedTensor>& tensors) {
    std::vector<std::string> names;
    for (const NamedTensor& tensor : tensors) {
        const auto same = std::count_if(tensors.begin(), tensors.end(),
                                        [&](const auto& other) { return other.key == tensor.key; });
        names.push_back(same == 1 ? tensor.key : tensor.record + "." + tensor.key);
    }
    return names;
}

const tensor::Tensor& tensor_named(const evidence::Record& results, const std::string& name) {
    std::vector<NamedTensor> tensors;
    collect("", results, tensors);
    const std::vector<std::string> names = names_of_tensors(tensors);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return *tensors[i].tensor;
    }
    refuse_choice("--tensor", name, names);
}

std::vector<std::string> tensor_names(const Entry& entry) {
    const auto experiment = entry.make();
    const evidence::Record results = experiment->results();
    std::vector<NamedTensor> tensors;
    collect("", results, tensors);
    return names_of_tensors(tensors);
}

// A .npy holds the values and nothing that these options choose.
void refuse_beside_npy(const std::vector<Option>& options, const OutputOptions& output) {
    const auto refuse = [&](const std::string& option) {
        throw InputError("--output: found " + quoted(output.path) + " beside " + option +
                         "; accepted: a name without .npy, or no " +
                         option.substr(0, option.find(' ')));
    };
    if (output.format_given) refuse("--format " + format_name(output.format));
    if (output.extent == report::Extent::full) refuse("--full");
    if (output.checks) refuse("--checks");
    if (output.certify) refuse("--certify");
    for (const char* const option : {"--explain", "--digits"}) {
        if (given(options, option)) refuse(option);
    }
}

// What --explain or --certify ask for and an experiment, or a form of its results, does not have.
void refuse_what_is_missing(const Entry& entry, const evidence::Experiment& experiment,
                            const std::vector<Option>& options, const OutputOptions& output) {
    const std::string beside =
        "found beside --" + std::string(entry.name) + "; accepted: without it, ";
    if (output.certify && !experiment.has_exact_figures()) {
        throw InputError("--certify: " + beside +
                         "because an implementation's roundings are not errors; judge bounds them");
    }
    if (!given(options, "--explain")) return;
    if (!experiment.explains()) {
        throw InputError("--explain: " + beside +
                         "because the derivation is of the layer's own arithmetic");
    }
    if (output.format != Format::text) {
        throw InputError("--explain: found beside --format " + format_name(output.format) +
                         "; accepted: with --format text");
    }
    if (given(options, "--digits")) {
        throw InputError(
            "--digits: found beside --explain; accepted: without it, because a derivation "
            "chooses its own digits");
    }
}

// Which inputs were given, and the values of those that the lines above do not show.
std::string inputs_line(const NamedInputs& inputs, report::Extent extent) {
    evidence::Lines line(extent);
    line.line("inputs");
    const evidence::Record record = evidence::record_of(inputs.inputs);
    for (const evidence::Input& input : inputs.inputs) {
        if (!has_option(input) || input.accepted.is_shape) continue;
        const auto recorded =
            std::find_if(record.fields.begin(), record.fields.end(),
                         [&](const evidence::Field& field) { return field.key == input.key; });
        const bool shown = recorded != record.fields.end();
        // A count that says how long another input is, and did not.
        const bool count = std::holds_alternative<std::size_t*>(input.target);
        if (!shown && count && !input.given) continue;
        std::string value;
        if (shown && recorded->presence != evidence::Presence::absent) {
            const evidence::Datum& datum = recorded->datum;
            const bool scalar = std::holds_alternative<evidence::Scalar>(datum.value) ||
                                std::holds_alternative<std::uint64_t>(datum.value) ||
                                std::holds_alternative<std::string>(datum.value);
            if (scalar) value = evidence::datum_text(datum, extent);
        }
        const std::string state = input.given ? "given" : "default";
        line.part(input.key, value.empty() ? state : value + "(" + state + ")");
    }
    return line.str();
}

std::string rendered(const Entry& entry, evidence::Experiment& experiment,
                     const NamedInputs& inputs, const OutputOptions& output, bool explained,
                     std::vector<evidence::Check>& checks) {
    std::optional<report::Document> document;
    if (output.certify || output.format != Format::text) {
        document = document_of(entry, experiment, output.extent);
        if (output.certify) certify(*document, experiment);
        checks = document->checks;
    }
    if (output.format == Format::json) return report::json(*document, output.extent);
    if (output.format == Format::html) return pages::experiment_page(*document, output.extent);
    std::string text =
        explained ? experiment.explanation(output.extent) : experiment.text(output.extent);
    if (output.extent.readable && !explained) text += inputs_line(inputs, output.extent);
    if (output.checks) text += evidence::text(checks);
    if (output.certify) text += evidence::text(*document->certification);
    return text;
}

int digits(const std::vector<Option>& options) {
    const auto word = value_of(options, "--digits");
    constexpr std::size_t most = 17;  // what tells every binary64 number from its neighbors
    return word ? static_cast<int>(parse_count("--digits", *word, 1, most)) : 0;
}

int run(const Entry& entry, const std::vector<Option>& options) {
    OutputOptions output = requested_output(options);
    const bool to_npy = names_npy(output.path);
    const auto tensor = value_of(options, "--tensor");
    if (to_npy) refuse_beside_npy(options, output);
    if (tensor && !to_npy) {
        throw InputError("--tensor: found without -o NAME.npy; accepted: beside -o NAME.npy");
    }
    const std::string wanted = tensor.value_or(std::string(entry.tensor));
    if (to_npy && entry.kind == Kind::rows && wanted == entry.tensor) {
        return forward_to_npy(options, output.path);
    }
    const auto experiment = entry.make();
    refuse_what_is_missing(entry, *experiment, options, output);
    const NamedInputs inputs = read_inputs(*experiment, options);
    Waiting waiting;
    inputs.explain([&] { experiment->run(); });
    std::vector<evidence::Check> checks = experiment->checks();
    if (to_npy) {
        waiting.end();
        write_npy(output.path, tensor_named(experiment->results(), wanted));
    } else {
        output.extent.readable =
            evidence::Given(inputs.inputs, 0).any() || given(options, "--digits");
        output.extent.digits = digits(options);
        const bool explained = given(options, "--explain");
        const std::string bytes = rendered(entry, *experiment, inputs, output, explained, checks);
        waiting.end();
        write_output(output.path, bytes);
    }
    return exit_code_of(checks);
}

// The refinement when its input is given; its other inputs are nothing without that one.
const Entry& refined(const Entry& entry, const Entry& refinement,
                     const std::vector<Option>& options) {
    const std::string wanted = "--" + std::string(refinement.name);
    if (given(options, wanted)) return refinement;
    std::vector<std::string> own;
    for (const evidence::Input& input : entry.make()->inputs()) own.push_back(input.option());
    for (const evidence::Input& input : refinement.make()->inputs()) {
        const std::string option = input.option();
        const bool shared = std::find(own.begin(), own.end(), option) != own.end();
        if (shared || !given(options, option)) continue;
        throw InputError(option + ": found without " + wanted + "; accepted: beside " + wanted);
    }
    return entry;
}

const Entry& chosen(const Entry& entry, const std::vector<Option>& options) {
    if (const Entry* const refinement = experiments::refinement(entry)) {
        return refined(entry, *refinement, options);
    }
    const auto fixture = value_of(options, "--fixture");
    const auto variant = fixture ? variant_of(entry) : std::nullopt;
    if (!variant) return entry;
    if (*fixture != variant->fixture) {
        throw InputError("--fixture: found " + quoted(*fixture) +
                         "; accepted: " + std::string(variant->fixture));
    }
    std::vector<std::string> own;
    for (const evidence::Input& input : entry.make()->inputs()) {
        if (given(options, input.option())) own.push_back(input.option());
    }
    if (given(options, "--case")) own.push_back("--case");
    if (!own.empty()) {
        throw InputError("--fixture: found " + listed(own) +
                         " beside it; accepted: the fixture's own vectors and numbers alone");
    }
    return *variant->entry;
}

}  // namespace

report::Document document_of(const Entry& entry, evidence::Experiment& experiment,
                             report::Extent extent) {
    report::Document document{report::DocumentKind::experiment, std::string(entry.name),
                              evidence::record_of(experiment.inputs()), experiment.results(),
                              experiment.checks()};
    if (extent.readable) {
        document.inputs = evidence::readable(std::move(document.inputs), extent.digits);
        document.results = evidence::readable(std::move(document.results), extent.digits);
    }
    return document;
}

void certify(report::Document& document, const evidence::Experiment& experiment) {
    document.certification =
        evidence::certification(document.results, [&](int bits) { return experiment.exact(bits); });
    const auto& more = document.certification->checks;
    document.checks.insert(document.checks.end(), more.begin(), more.end());
}

Invocation experiment(const Entry& entry) {
    const auto made = entry.make();
    const Entry* const refinement = experiments::refinement(entry);
    std::vector<Option> options =
        input_options(refinement == nullptr ? made->inputs() : refinement->make()->inputs());
    if (const auto variant = variant_of(entry)) {
        options.push_back({.names = "--fixture",
                           .value_name = "FIXTURE",
                           .help = "compare the three vectors of " + std::string(variant->fixture) +
                                   ", in binary32",
                           .default_text = "",
                           .choices = [variant] {
                               return std::vector<std::string>{std::string(variant->fixture)};
                           }});
    }
    add_output_options(options, {Format::text, Format::json, Format::html},
                       entry.tensor.empty() ? Arrays::none : Arrays::written);
    if (!entry.tensor.empty()) {
        options.push_back({.names = "--tensor",
                           .value_name = "NAME",
                           .help = "which tensor of the results -o NAME.npy holds",
                           .default_text = std::string(entry.tensor),
                           .choices = [&entry] { return tensor_names(entry); }});
    }
    if (made->explains()) {
        options.push_back({.names = "--explain",
                           .value_name = "",
                           .help = "print a worked derivation: each stage with its formula, the "
                                   "numbers put in and the result",
                           .default_text = ""});
    }
    options.push_back({.names = "--digits",
                       .value_name = "N",
                       .help = "significant digits of the largest value in each figure, 1 to 17",
                       .default_text = "six decimals, or as many as can be read"});
    options.push_back(force_option());
    options.push_back(full_option());
    options.push_back(checks_option());
    if (made->has_exact_figures()) options.push_back(certify_option());
    return {.options = std::move(options),
            .run = [&entry](const auto& parsed) { return run(chosen(entry, parsed), parsed); }};
}

}  // namespace rmsnorm::cli
