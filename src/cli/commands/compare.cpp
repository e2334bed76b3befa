// rmsnorm-fixture compare: LayerNorm against RMSNorm on any vector.
#include <algorithm>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "evidence/exhibit/comparison.hpp"
#include "evidence/exhibit/exhibit.hpp"
#include "evidence/replay.hpp"
#include "numeric/decimal.hpp"
#include "report/exhibit.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t most_features = 4096;

struct Request {
    evidence::ComparisonInputs inputs = evidence::exhibit_inputs();
    std::optional<tensor::Tensor> gain;  // else ones
};

double number(const std::string& option, const std::string& place, const std::string& word) {
    const auto value = numeric::parse_decimal(word);
    if (!value) {
        throw InputError(option + ": " + place + "found " + quoted(word) +
                         "; accepted: a finite decimal number");
    }
    return *value;
}

// A list of numbers with commas between them.
tensor::Tensor vector(const std::string& option, const std::string& list) {
    std::vector<double> values;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        values.push_back(number(option, "element " + std::to_string(values.size() + 1) + ": ",
                                list.substr(start, end - start)));
        start = end + 1;
        if (values.size() > most_features) {
            throw InputError(option + ": found more than " + std::to_string(most_features) +
                             " values; accepted: 1 to " + std::to_string(most_features));
        }
    }
    return tensor::Tensor::vector(std::move(values));
}

Option epsilon_option(double& epsilon) {
    return {.names = "--epsilon",
            .value_name = "NUMBER",
            .help = "added to the variance and to the mean square; 0 or more",
            .default_text = numeric::shortest(epsilon),
            .accept = [&epsilon](const std::string& word) {
                const double value = number("--epsilon", "", word);
                if (value < 0) {
                    throw InputError("--epsilon: found " + quoted(word) +
                                     "; accepted: a finite decimal number, 0 or more");
                }
                epsilon = value;
            }};
}

Option number_option(const std::string& name, const std::string& help, double& value) {
    return {.names = name,
            .value_name = "NUMBER",
            .help = help,
            .default_text = numeric::shortest(value),
            .accept = [name, &value](const std::string& word) { value = number(name, "", word); }};
}

evidence::ComparisonInputs chosen(const Request& request) {
    evidence::ComparisonInputs inputs = request.inputs;
    if (request.gain && request.gain->size() != inputs.input.size()) {
        throw InputError("--gain: found " + std::to_string(request.gain->size()) +
                         " values; accepted: as many as --input has, " +
                         std::to_string(inputs.input.size()));
    }
    inputs.gain = request.gain ? *request.gain : tensor::Tensor::filled(inputs.input.shape(), 1);
    return inputs;
}

}  // namespace

Invocation prepare_compare() {
    const auto request = std::make_shared<Request>();
    std::vector<Option> options{
        {.names = "--input",
         .value_name = "VALUES",
         .help = "the vector, 1 to " + std::to_string(most_features) + " numbers",
         .default_text = "1,2,3,4,-1,-2,-3,-4",
         .accept =
             [request](const std::string& list) {
                 request->inputs.input = vector("--input", list);
             }},
        number_option("--scale", "multiply every feature by it first", request->inputs.scale),
        number_option("--offset", "then add it to every feature", request->inputs.offset),
        epsilon_option(request->inputs.epsilon),
        {.names = "--gain",
         .value_name = "VALUES",
         .help = "what multiplies the normalized features, as many numbers as the input has",
         .default_text = "all 1",
         .accept = [request](const std::string& list) { request->gain = vector("--gain", list); }}};
    return experiment(std::move(options), [request](report::Extent extent) {
        const evidence::Comparison comparison =
            evidence::replayed([&] { return evidence::comparison(chosen(*request)); });
        return Presentation{{report::DocumentKind::experiment, "compare", inputs(comparison),
                             results(comparison), comparison.checks},
                            report::comparison_text(comparison, extent)};
    });
}

}  // namespace rmsnorm::cli
