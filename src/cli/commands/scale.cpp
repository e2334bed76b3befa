// rmsnorm-fixture scale: a factor on the input.
#include "evidence/scale.hpp"

#include <memory>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "cli/input/tensor_input.hpp"
#include "cli/layer_options.hpp"
#include "cli/numbers.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/factor_error.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {
namespace {

// Each keeps its own tensors and figures, about three kilobytes beside the values.
constexpr std::size_t most_comparisons = std::size_t{1} << 15;

struct Request {
    std::optional<std::string> input;
    std::optional<std::string> epsilons;
    std::optional<std::string> factors;
    std::size_t max_elements = Limits{}.max_elements;
};

std::vector<double> numbers(const char* option, const std::optional<std::string>& argument,
                            Range range, std::vector<double> defaults, const Limits& limits) {
    if (!argument) return defaults;
    const tensor::Tensor read = read_tensor(option, *argument, limits);
    std::vector<double> values(read.values().begin(), read.values().end());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (within(values[i], range)) continue;
        throw InputError(origin_of(option, *argument) + ": element " + std::to_string(i + 1) +
                         ": found " + number_text(values[i]) + "; accepted: " + described(range));
    }
    return values;
}

std::vector<evidence::ScaleCase> cases(const Request& request) {
    namespace chapter = evidence::chapter_values;
    if (!request.input && !request.epsilons && !request.factors) {
        return evidence::chapter_scale_cases();
    }
    require_one_reader({request.input, request.epsilons, request.factors});
    const Limits limits{.max_elements = request.max_elements};
    tensor::Tensor input = chapter::input();
    if (request.input) {
        input = read_tensor("--input", *request.input, limits);
        if (input.rank() == 0) input = tensor::Tensor::vector({input[0]});
    }
    const auto epsilons = numbers("--epsilon", request.epsilons, Range::nonnegative,
                                  {chapter::ideal_epsilon, chapter::epsilon}, limits);
    const auto factors =
        numbers("--factor", request.factors, Range::positive, {chapter::factor}, limits);
    if (factors.size() > most_comparisons / epsilons.size()) {
        throw InputError("--factor: found " + std::to_string(epsilons.size()) + " epsilons times " +
                         std::to_string(factors.size()) +
                         " factors; accepted: a product of at most " +
                         std::to_string(most_comparisons) + " comparisons");
    }
    const std::size_t most = request.max_elements / input.size() / epsilons.size();
    if (factors.size() > most) {
        throw InputError("--factor: found " + std::to_string(epsilons.size()) + " epsilons times " +
                         std::to_string(factors.size()) + " factors times " +
                         std::to_string(input.size()) + " values; accepted: a product of at most " +
                         std::to_string(request.max_elements) + " (--max-elements)");
    }
    return evidence::combinations(input, epsilons, factors);
}

evidence::Scale compared(const std::vector<evidence::ScaleCase>& scale_cases) {
    try {
        return evidence::replayed([&] { return evidence::scale(scale_cases); });
    } catch (const evidence::FactorError& error) {
        const bool by_input = error.stage == evidence::FactorStage::unscaled;
        throw InputError(std::string(by_input ? "--input: " : "--factor: ") + error.what() +
                         "; accepted: " + (by_input ? "values" : "factors") +
                         " that leave every square finite, and with epsilon 0 no row without a "
                         "square above zero");
    }
}

}  // namespace

Invocation prepare_scale() {
    namespace chapter = evidence::chapter_values;
    const auto request = std::make_shared<Request>();
    const std::string alone = "; without any option the chapter's three comparisons are made";
    std::vector<Option> options{
        {.names = "--input",
         .value_name = values_name,
         .help = "the input, [..., d]: a list, @FILE or -" + alone,
         .default_text = list_text(chapter::input()),
         .accept = [request](const std::string& text) { request->input = text; }},
        {.names = "--epsilon",
         .value_name = "NUMBERS",
         .help = "a list; each from 0",
         .default_text = "0,1e-5",
         .accept = [request](const std::string& text) { request->epsilons = text; }},
        {.names = "--factor",
         .value_name = "NUMBERS",
         .help = "a list; each above 0, and each with every epsilon",
         .default_text = number_text(chapter::factor),
         .accept = [request](const std::string& text) { request->factors = text; }}};
    options.push_back(max_elements_option(request->max_elements));
    return experiment(std::move(options), [request](report::Extent extent) {
        return present("scale", compared(cases(*request)), extent);
    });
}

}  // namespace rmsnorm::cli
