// rmsnorm-fixture dense-stack: ten dense layers with and without normalization.
#include "experiments/normalization/dense_stack.hpp"

#include <limits>
#include <memory>

#include "cli/book_options.hpp"
#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/legacy_experiment.hpp"
#include "evidence/replay.hpp"
#include "report/book_text.hpp"

namespace rmsnorm::cli {
namespace {

// A layer has the square of its width in weights.
constexpr std::size_t widest_layer = 1024;

struct Request {
    std::optional<std::vector<float>> input;
    std::optional<std::uint64_t> width;
    std::optional<std::uint64_t> seed;
    float spread = experiments::normalization::book_dense_stack_case().spread;
    float epsilon = experiments::normalization::values::epsilon;
};

experiments::normalization::DenseStackCase requested(const Request& request) {
    experiments::normalization::DenseStackCase used =
        experiments::normalization::book_dense_stack_case();
    if (request.input && request.width) {
        throw InputError("--width: found beside --input; accepted: one of them");
    }
    if (request.width) {
        used.input =
            experiments::normalization::alternating(static_cast<std::size_t>(*request.width));
    }
    if (request.input) used.input = *request.input;
    if (request.seed) used.seed = static_cast<std::uint32_t>(*request.seed);
    used.spread = request.spread;
    used.epsilon = request.epsilon;
    return used;
}

}  // namespace

Invocation prepare_dense_stack() {
    const auto request = std::make_shared<Request>();
    return experiment(
        {{.names = "--input",
          .value_name = "VALUES",
          .help = "what enters the first layer; its width is that of every layer",
          .default_text = "1,-1,1,... of the width",
          .accept =
              [request](const std::string& argument) {
                  request->input = binary32_values("--input", argument, widest_layer);
              }},
         whole_option("--width", "the width of every layer, without --input", 1, widest_layer, "64",
                      request->width),
         whole_option("--seed", "of the Mersenne Twister that draws the weights", 0,
                      std::numeric_limits<std::uint32_t>::max(), "5489", request->seed),
         number_option("--spread", "weights are uniform from minus this to this", "0.5",
                       Least::above_zero, request->spread),
         epsilon_option("1e-5", request->epsilon)},
        [request](report::Extent extent) {
            return present("dense-stack", evidence::replayed([&] {
                               return experiments::normalization::dense_stack(requested(*request));
                           }),
                           extent);
        });
}

}  // namespace rmsnorm::cli
