// rmsnorm-fixture gradcheck: gradients against central differences.
#include <limits>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "cli/layer_options.hpp"
#include "cli/numbers.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/gradient_check.hpp"
#include "evidence/layer_checks.hpp"
#include "evidence/replay.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::optional<double> step;
    std::optional<double> tolerance;
    std::size_t samples = evidence::sampled_coordinates;
    std::uint32_t seed = 0;
};

evidence::GradientChecks check(const evidence::LayerCase& layer_case, const Request& request) {
    namespace chapter = evidence::chapter_values;
    try {
        if (!request.step && !request.tolerance) {
            return evidence::fitted_gradient_checks(layer_case, request.samples, request.seed);
        }
        return evidence::gradient_checks({layer_case, request.step.value_or(chapter::step),
                                          request.tolerance.value_or(chapter::tolerance),
                                          request.samples, request.seed});
    } catch (const evidence::GradientProbeError& error) {
        const bool is_input = error.tensor == evidence::ProbedTensor::input;
        throw InputError(std::string("--step: found ") + numeric::shortest(error.step) +
                         ", which at " + (is_input ? "--input" : "--gain") + " element " +
                         std::to_string(error.index + 1) + ", " + numeric::shortest(error.value) +
                         ", " + error.reason +
                         "; accepted: a step that fits the values, as the program chooses it "
                         "without --step and --tolerance");
    }
}

}  // namespace

Invocation prepare_gradcheck() {
    const evidence::LayerCase defaults = evidence::chapter_values::layer_case();
    const auto layer = std::make_shared<LayerOptions>();
    const auto request = std::make_shared<Request>();
    const std::string fitted = ", or what fits the values when neither of the two is given";
    std::vector<Option> options;
    add_layer_options(options, layer, LayerPart::gain_and_upstream, defaults);
    options.push_back({.names = "--step",
                       .value_name = "NUMBER",
                       .help = "how far a coordinate is moved to either side; above 0",
                       .default_text = number_text(evidence::chapter_values::step) + fitted,
                       .accept = [request](const std::string& text) {
                           request->step = parse_number("--step", text, Range::positive);
                       }});
    options.push_back({.names = "--tolerance",
                       .value_name = "NUMBER",
                       .help = "the largest scaled error that passes; from 0",
                       .default_text = number_text(evidence::chapter_values::tolerance) + fitted,
                       .accept = [request](const std::string& text) {
                           request->tolerance =
                               parse_number("--tolerance", text, Range::nonnegative);
                       }});
    options.push_back({.names = "--samples",
                       .value_name = "COUNT",
                       .help = "coordinates that are checked of a tensor with more",
                       .default_text = std::to_string(request->samples),
                       .accept = [request](const std::string& text) {
                           request->samples =
                               parse_count("--samples", text, 1, Limits{}.max_elements);
                       }});
    options.push_back({.names = "--seed",
                       .value_name = "COUNT",
                       .help = "decides which coordinates are sampled",
                       .default_text = std::to_string(request->seed),
                       .accept = [request](const std::string& text) {
                           constexpr auto most = std::numeric_limits<std::uint32_t>::max();
                           request->seed =
                               static_cast<std::uint32_t>(parse_count("--seed", text, 0, most));
                       }});
    return experiment(std::move(options), [layer, request, defaults](report::Extent extent) {
        const evidence::LayerCase layer_case = read_layer_case(*layer, defaults);
        return present("gradcheck", evidence::replayed([&] { return check(layer_case, *request); }),
                       extent);
    });
}

}  // namespace rmsnorm::cli
