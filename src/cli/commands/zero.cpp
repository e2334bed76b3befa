// rmsnorm-fixture zero: an all-zero row.
#include "evidence/zero.hpp"

#include <memory>

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "cli/layer_options.hpp"
#include "cli/numbers.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::string width = std::to_string(evidence::chapter_values::input().size());
    std::optional<double> epsilon;
    std::size_t max_elements = Limits{}.max_elements;
};

}  // namespace

Invocation prepare_zero() {
    const auto request = std::make_shared<Request>();
    std::vector<Option> options{
        {.names = "--width",
         .value_name = "COUNT",
         .help = "how many features the row has",
         .default_text = request->width,
         .accept = [request](const std::string& text) { request->width = text; }}};
    options.push_back(epsilon_option(request->epsilon, evidence::chapter_values::epsilon));
    options.push_back(max_elements_option(request->max_elements));
    return experiment(std::move(options), [request](report::Extent extent) {
        // Only after all options the limit is known.
        const std::size_t width = parse_count("--width", request->width, 1, request->max_elements);
        return present("zero", evidence::replayed([&] {
                           return evidence::zero(
                               width, request->epsilon.value_or(evidence::chapter_values::epsilon));
                       }),
                       extent);
    });
}

}  // namespace rmsnorm::cli
