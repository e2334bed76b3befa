// rmsnorm-fixture layer-norm: LayerNorm forward in binary32.
#include "experiments/normalization/layer_norm.hpp"

#include <memory>

#include "cli/book_options.hpp"
#include "cli/commands.hpp"
#include "cli/legacy_experiment.hpp"
#include "evidence/replay.hpp"
#include "report/book_text.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::optional<std::vector<float>> input;
    std::optional<std::vector<float>> gamma;
    std::optional<std::vector<float>> beta;
    float epsilon = experiments::normalization::values::epsilon;
};

experiments::normalization::LayerNormCase requested(const Request& request) {
    namespace book = experiments::normalization;
    const book::Vector input = request.input.value_or(book::values::hundreds());
    require_width("--gamma", request.gamma, input.size());
    require_width("--beta", request.beta, input.size());
    return {input, request.gamma.value_or(book::ones(input.size())),
            request.beta.value_or(book::zeros(input.size())), request.epsilon};
}

}  // namespace

Invocation prepare_layer_norm() {
    const auto request = std::make_shared<Request>();
    return experiment(
        with_one_reader(
            {vector_option("--input", "the vector", "100,102,98,101,99,103", request->input),
             vector_option("--gamma", "the scale", "ones", request->gamma),
             vector_option("--beta", "the shift", "zeros", request->beta),
             epsilon_option("1e-5", request->epsilon)}),
        [request](report::Extent extent) {
            return present("layer-norm", evidence::replayed([&] {
                               return experiments::normalization::layer_norm(requested(*request));
                           }),
                           extent);
        });
}

}  // namespace rmsnorm::cli
