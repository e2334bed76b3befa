// rmsnorm-fixture rms-norm-backward: RMSNorm's gradients.
#include "experiments/normalization/rms_norm_backward.hpp"

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
    std::optional<std::vector<float>> upstream;
    float epsilon = experiments::normalization::values::epsilon;
    experiments::normalization::ProbeChoice choice;
};

experiments::normalization::RmsNormBackwardCase requested(const Request& request) {
    namespace book = experiments::normalization;
    const book::Vector input = request.input.value_or(book::values::five());
    require_width("--gamma", request.gamma, input.size());
    require_width("--upstream", request.upstream, input.size());
    const book::Vector gamma =
        request.gamma.value_or(book::repeated(book::values::five_gamma(), input.size()));
    return {input, gamma,
            request.upstream.value_or(book::repeated(book::values::five_upstream(), input.size())),
            request.epsilon, request.choice};
}

}  // namespace

Invocation prepare_rms_norm_backward() {
    const auto request = std::make_shared<Request>();
    return experiment(
        with_probe_options(
            with_one_reader(
                {vector_option("--input", "the vector", "1,3,2,5,4", request->input),
                 vector_option("--gamma", "the scale",
                               "1,0.5,2,1.5,0.25, repeated to the input's width", request->gamma),
                 vector_option("--upstream", "the adjoint of the output",
                               "0.1,-0.2,0.3,-0.1,0.2, repeated to the input's width",
                               request->upstream),
                 epsilon_option("1e-5", request->epsilon)}),
            request->choice),
        [request](report::Extent extent) {
            try {
                return present(
                    "rms-norm-backward", evidence::replayed([&] {
                        return experiments::normalization::rms_norm_backward(requested(*request));
                    }),
                    extent);
            } catch (const autodiff::GradientCheckError& error) {
                refuse_step(error);
            }
        });
}

}  // namespace rmsnorm::cli
