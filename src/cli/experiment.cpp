#include "cli/experiment.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/experiment_inputs.hpp"
#include "cli/forward_npy.hpp"
#include "cli/npy_output.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"
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

// Tensors of the results, by their keys.
void collect(const evidence::Record& record,
             std::vector<std::pair<std::string, const tensor::Tensor*>>& tensors) {
    for (const evidence::Field& field : record.fields) {
        if (field.presence == evidence::Presence::absent) continue;
        if (const auto* figures = std::get_if<evidence::Figures>(&field.datum.value)) {
            tensors.emplace_back(field.key, &figures->tensor);
        } else if (const auto* inner = std::get_if<evidence::Record>(&field.datum.value)) {
            collect(*inner, tensors);
        }
    }
}

const tensor::Tensor& tensor_named(const evidence::Record& results, const std::string& name) {
    std::vector<std::pair<std::string, const tensor::Tensor*>> tensors;
    collect(results, tensors);
    std::vector<std::string> names;
    for (const auto& [key, tensor] : tensors) {
        if (key == name) return *tensor;
        names.push_back(key);
    }
    throw InputError("--tensor: found " + quoted(name) + "; accepted: " + listed(names));
}

// A .npy holds the values and nothing that these options choose.
void refuse_beside_npy(const OutputOptions& output) {
    const auto refuse = [&](const std::string& option) {
        throw InputError("--output: found " + quoted(output.path) + " beside " + option +
                         "; accepted: a name without .npy, or no " +
                         option.substr(0, option.find(' ')));
    };
    if (output.format_given) refuse("--format " + format_name(output.format));
    if (output.extent == report::Extent::full) refuse("--full");
    if (output.checks) refuse("--checks");
    if (output.certify) refuse("--certify");
}

std::string rendered(const Entry& entry, evidence::Experiment& experiment,
                     const OutputOptions& output,
                     const std::optional<evidence::Certification>& certification) {
    switch (output.format) {
        case Format::json: {
            const report::Document document = document_of(entry, experiment);
            return certification
                       ? report::certified_json(document, *certification, output.extent)
                       : report::json(document, output.extent);
        }
        case Format::html:
            return pages::experiment_page(document_of(entry, experiment), output.extent);
        case Format::text:
        case Format::trace: break;
    }
    std::string text = experiment.text(output.extent);
    if (output.checks) text += evidence::text(experiment.checks());
    if (certification) text += evidence::text(*certification);
    return text;
}

int run(const Entry& entry, const std::vector<Option>& options, const OutputOptions& output) {
    const bool to_npy = names_npy(output.path);
    const auto& tensor = values_of(options, "--tensor");
    if (to_npy) refuse_beside_npy(output);
    if (!tensor.empty() && !to_npy) {
        throw InputError("--tensor: found without an output; accepted: with -o NAME.npy");
    }
    if (output.certify && output.format == Format::html) {
        throw InputError("--certify: found beside --format html; accepted: text or json");
    }
    const std::string wanted = tensor.empty() ? std::string(entry.tensor) : tensor.front();
    if (to_npy && entry.kind == Kind::rows && wanted == entry.tensor) {
        return forward_to_npy(options, output.path);
    }
    const auto experiment = entry.make();
    const NamedInputs inputs = read_inputs(*experiment, options);
    try {
        experiment->run();
    } catch (const evidence::InputRejection& rejection) {
        inputs.refuse(rejection);
    }
    const std::optional<evidence::Certification> certification =
        output.certify ? experiment->certified() : std::nullopt;
    if (to_npy) {
        write_npy(output.path, tensor_named(experiment->results(), wanted));
    } else {
        write_output(output.path, rendered(entry, *experiment, output, certification));
    }
    std::vector<evidence::Check> checks = experiment->checks();
    if (certification) {
        checks.insert(checks.end(), certification->checks.begin(), certification->checks.end());
    }
    return exit_code_of(checks);
}

// The refinement when its input is given; its other inputs are nothing without that one.
const Entry& refined(const Entry& entry, const Entry& refinement,
                     const std::vector<Option>& options) {
    const std::string wanted = "--" + std::string(refinement.name);
    if (!values_of(options, wanted).empty()) return refinement;
    std::vector<std::string> own;
    for (const evidence::Input& input : entry.make()->inputs()) own.push_back(input.option());
    for (const evidence::Input& input : refinement.make()->inputs()) {
        const std::string option = input.option();
        const bool shared = std::find(own.begin(), own.end(), option) != own.end();
        if (shared || values_of(options, option).empty()) continue;
        throw InputError(option + ": found without " + wanted + "; accepted: beside " + wanted);
    }
    return entry;
}

const Entry& chosen(const Entry& entry, const std::vector<Option>& options) {
    if (const Entry* const refinement = experiments::refinement(entry)) {
        return refined(entry, *refinement, options);
    }
    const auto& fixture = values_of(options, "--fixture");
    const auto variant = fixture.empty() ? std::nullopt : variant_of(entry);
    if (!variant) return entry;
    if (fixture.front() != variant->fixture) {
        throw InputError("--fixture: found " + quoted(fixture.front()) +
                         "; accepted: " + std::string(variant->fixture));
    }
    std::vector<std::string> own;
    for (const evidence::Input& input : entry.make()->inputs()) {
        if (!values_of(options, input.option()).empty()) own.push_back(input.option());
    }
    if (!values_of(options, "--case").empty()) own.push_back("--case");
    if (!own.empty()) {
        throw InputError("--fixture: found " + listed(own) +
                         " beside it; accepted: the fixture's own vectors and numbers alone");
    }
    return *variant->entry;
}

}  // namespace

report::Document document_of(const Entry& entry, evidence::Experiment& experiment) {
    return {report::DocumentKind::experiment, std::string(entry.name),
            evidence::record_of(experiment.inputs()), experiment.results(), experiment.checks()};
}

Invocation experiment(const Entry& entry) {
    const auto output = std::make_shared<OutputOptions>();
    const Entry* const refinement = experiments::refinement(entry);
    std::vector<Option> options =
        input_options((refinement == nullptr ? entry : *refinement).make()->inputs());
    if (const auto variant = variant_of(entry)) {
        options.push_back({.names = "--fixture",
                           .value_name = "FIXTURE",
                           .help = "compare the three vectors of " + std::string(variant->fixture) +
                                   ", in binary32",
                           .default_text = ""});
    }
    add_output_options(options, *output, {Format::text, Format::json, Format::html},
                       entry.tensor.empty() ? Arrays::none : Arrays::written);
    if (!entry.tensor.empty()) {
        options.push_back({.names = "--tensor",
                           .value_name = "NAME",
                           .help = "which tensor of the results -o NAME.npy holds",
                           .default_text = std::string(entry.tensor)});
    }
    add_full_option(options, *output);
    add_checks_option(options, *output);
    if (entry.kind != Kind::dialogue) options.push_back(certify_option(output->certify));
    return {.options = std::move(options), .run = [output, &entry](const auto& parsed) {
                return run(chosen(entry, parsed), parsed, *output);
            }};
}

}  // namespace rmsnorm::cli
