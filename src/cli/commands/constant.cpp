// rmsnorm-fixture constant: a vector of equal values.
#include "experiments/normalization/constant.hpp"

#include <memory>

#include "cli/book_options.hpp"
#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/legacy_experiment.hpp"
#include "evidence/replay.hpp"
#include "report/book_text.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::optional<std::vector<float>> value;
    std::optional<std::uint64_t> width;
    float epsilon = experiments::normalization::values::epsilon;
    bool unguarded = false;
};

experiments::normalization::ConstantCase requested(const Request& request) {
    experiments::normalization::ConstantCase used =
        experiments::normalization::book_constant_case();
    if (request.value) used.value = request.value->front();
    if (request.width) used.width = static_cast<std::size_t>(*request.width);
    used.epsilon = request.epsilon;
    used.unguarded = request.unguarded;
    return used;
}

}  // namespace

Invocation prepare_constant() {
    const auto request = std::make_shared<Request>();
    return experiment({{.names = "--value",
                        .value_name = "NUMBER",
                        .help = "the value of every component",
                        .default_text = "5",
                        .accept =
                            [request](const std::string& argument) {
                                request->value = binary32_values("--value", argument, 1);
                            }},
                       whole_option("--width", "how many components there are", 1,
                                    widest_book_vector, "4", request->width),
                       epsilon_option("1e-5", request->epsilon),
                       {.names = "--unguarded",
                        .value_name = "",
                        .help = "also show what each refusal keeps out: the formula without it",
                        .default_text = "",
                        .accept = [request](const std::string&) { request->unguarded = true; }}},
                      [request](report::Extent extent) {
                          return present(
                              "constant", evidence::replayed([&] {
                                  return experiments::normalization::constant(requested(*request));
                              }),
                              extent);
                      });
}

}  // namespace rmsnorm::cli
