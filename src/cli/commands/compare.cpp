// rmsnorm-fixture compare: LayerNorm against RMSNorm on any vector.
#include "experiments/normalization/compare.hpp"

#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/layer_options.hpp"
#include "cli/legacy_experiment.hpp"
#include "cli/numbers.hpp"
#include "evidence/replay.hpp"
#include "experiments/exhibit/comparison.hpp"
#include "experiments/exhibit/exhibit.hpp"
#include "report/book_text.hpp"
#include "report/exhibit.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t most_features = 4096;

struct Request {
    std::optional<std::string> input;
    std::optional<std::string> gain;
    std::optional<double> epsilon;
    double scale = experiments::exhibit_inputs().scale;
    double offset = experiments::exhibit_inputs().offset;
    bool book = false;             // the fixture's vectors instead of the input
    std::vector<std::string> own;  // the options given that the fixture's vectors leave no room for
};

constexpr const char* book_fixture = "23-normalization";

experiments::ComparisonInputs chosen(const Request& request) {
    constexpr Limits limits{.max_elements = most_features, .adjustable = false};
    require_one_reader({request.input, request.gain});
    experiments::ComparisonInputs inputs = experiments::exhibit_inputs();
    if (request.input) inputs.input = read_vector("--input", *request.input, limits);
    inputs.gain = request.gain ? read_vector("--gain", *request.gain, limits)
                               : tensor::Tensor::filled(inputs.input.shape(), 1);
    if (inputs.gain.size() != inputs.input.size()) {
        throw InputError("--gain: found " + std::to_string(inputs.gain.size()) +
                         " values; accepted: as many as the input has, " +
                         std::to_string(inputs.input.size()));
    }
    inputs.epsilon = request.epsilon.value_or(inputs.epsilon);
    inputs.scale = request.scale;
    inputs.offset = request.offset;
    return inputs;
}

Option finite_option(const std::string& name, const std::string& help, double& value) {
    return {.names = name,
            .value_name = "NUMBER",
            .help = help,
            .default_text = number_text(value),
            .accept = [name, &value](const std::string& text) {
                value = parse_number(name, text, Range::finite);
            }};
}

Presentation book_vectors(report::Extent extent) {
    namespace book = experiments::normalization;
    return present("compare-23-normalization", evidence::replayed([] {
                       return book::compare(book::book_comparison_cases(), book::values::epsilon);
                   }),
                   extent);
}

}  // namespace

Invocation prepare_compare() {
    const auto request = std::make_shared<Request>();
    std::vector<Option> options{
        {.names = "--input",
         .value_name = values_name,
         .help =
             "the vector, 1 to " + std::to_string(most_features) + " numbers: a list, @FILE or -",
         .default_text = list_text(experiments::exhibit_inputs().input),
         .accept = [request](const std::string& text) { request->input = text; }},
        finite_option("--scale", "multiplies every feature first", request->scale),
        finite_option("--offset", "is then added to every feature", request->offset),
        epsilon_option(request->epsilon, experiments::exhibit_inputs().epsilon),
        {.names = "--gain",
         .value_name = values_name,
         .help = "multiplies the normalized features; as many numbers as the input has",
         .default_text = "ones",
         .accept = [request](const std::string& text) { request->gain = text; }},
        {.names = "--fixture",
         .value_name = "FIXTURE",
         .help = std::string("compare the three vectors of ") + book_fixture + ", in binary32",
         .default_text = "",
         .accept = [request](const std::string& name) {
             if (name != book_fixture) {
                 throw InputError("--fixture: found " + quoted(name) +
                                  "; accepted: " + book_fixture);
             }
             request->book = true;
         }}};
    for (Option& option : options) {
        if (option.names == "--fixture") continue;
        option.accept = [request, name = option.names,
                         accept = option.accept](const std::string& value) {
            accept(value);
            request->own.push_back(name);
        };
    }
    Invocation invocation = experiment(std::move(options), [request](report::Extent extent) {
        if (request->book && !request->own.empty()) {
            throw InputError("--fixture: found " + listed(request->own) +
                             " beside it; accepted: the fixture's own vectors and numbers alone");
        }
        if (request->book) return book_vectors(extent);
        const experiments::ComparisonInputs given = chosen(*request);
        const experiments::Comparison comparison =
            evidence::replayed([&] { return experiments::comparison(given); });
        return Presentation{{report::DocumentKind::experiment, "compare", inputs(comparison),
                             results(comparison), comparison.checks},
                            report::comparison_text(comparison, extent)};
    });
    invocation.other_sample = [] { return book_vectors(report::Extent::abridged).document; };
    return invocation;
}

}  // namespace rmsnorm::cli
