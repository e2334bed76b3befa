// rmsnorm-fixture sweep: the input scaled over decades.
#include "evidence/sweep.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "cli/layer_options.hpp"
#include "cli/numbers.hpp"
#include "evidence/factor_error.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    evidence::SweepCase sweep = evidence::chapter_sweep_case();
    std::optional<std::string> input;
    std::optional<double> epsilon;
    std::size_t max_elements = Limits{}.max_elements;
};

evidence::Sweep sweep(const Request& request) {
    evidence::SweepCase used = request.sweep;
    if (request.epsilon) used.epsilon = *request.epsilon;
    if (used.from >= used.to) {
        throw InputError("--from: found " + number_text(used.from) +
                         "; accepted: a factor below --to, " + number_text(used.to));
    }
    if (request.input)
        used.input = read_vector("--input", *request.input, {.max_elements = request.max_elements});
    const auto factors = evidence::sweep_factors(used.from, used.to, used.points);
    if (std::adjacent_find(factors.begin(), factors.end(), std::greater_equal<>()) !=
        factors.end()) {
        throw InputError("--points: found " + std::to_string(used.points) + " factors from " +
                         number_text(used.from) + " to " + number_text(used.to) +
                         ", of which some are equal to six digits; accepted: fewer points, or "
                         "--from and --to further apart");
    }
    try {
        return evidence::replayed([&] { return evidence::sweep(used); });
    } catch (const evidence::FactorError& error) {
        std::string option = "--input";
        if (error.factor == used.from) option += ", --from";
        if (error.factor == used.to) option += ", --to";
        throw InputError(option + ": " + error.what() +
                         (error.stage == evidence::FactorStage::without_epsilon
                              ? "; accepted: an input and factors of which no product has only "
                                "squares of zero"
                              : "; accepted: an input and factors whose squares are finite"));
    }
}

}  // namespace

Invocation prepare_sweep() {
    constexpr std::size_t most_points = 1000;
    const auto request = std::make_shared<Request>();
    const evidence::SweepCase& defaults = request->sweep;
    std::vector<Option> options{
        {.names = "--input",
         .value_name = values_name,
         .help = "one vector, not all zero: a list, @FILE or -",
         .default_text = list_text(defaults.input),
         .accept = [request](const std::string& text) { request->input = text; }}};
    options.push_back(epsilon_option(request->epsilon, defaults.epsilon));
    options.push_back({.names = "--from",
                       .value_name = "NUMBER",
                       .help = "the first factor; above 0",
                       .default_text = number_text(defaults.from),
                       .accept = [request](const std::string& text) {
                           request->sweep.from = parse_number("--from", text, Range::positive);
                       }});
    options.push_back({.names = "--to",
                       .value_name = "NUMBER",
                       .help = "the last factor; above the first",
                       .default_text = number_text(defaults.to),
                       .accept = [request](const std::string& text) {
                           request->sweep.to = parse_number("--to", text, Range::positive);
                       }});
    options.push_back({.names = "--points",
                       .value_name = "COUNT",
                       .help = "how many factors, from 2 to " + std::to_string(most_points) +
                               ", each the same multiple of the one before",
                       .default_text = std::to_string(defaults.points),
                       .accept = [request](const std::string& text) {
                           request->sweep.points = parse_count("--points", text, 2, most_points);
                       }});
    options.push_back(max_elements_option(request->max_elements));
    return experiment(std::move(options), [request](report::Extent extent) {
        return present("sweep", sweep(*request), extent);
    });
}

}  // namespace rmsnorm::cli
