// rmsnorm-fixture latent: a compressed latent, normalized or not, projected up.
#include "evidence/book/latent.hpp"

#include <limits>
#include <memory>

#include "cli/book_options.hpp"
#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/replay.hpp"
#include "report/book_text.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::optional<std::vector<float>> input;
    std::optional<std::uint64_t> rank;
    std::optional<std::uint64_t> seed;
    float spread = evidence::book::book_latent_case().spread;
    float epsilon = evidence::book::values::epsilon;
};

evidence::book::LatentCase requested(const Request& request) {
    evidence::book::LatentCase used = evidence::book::book_latent_case();
    if (request.input) used.input = *request.input;
    if (request.rank) used.rank = static_cast<std::size_t>(*request.rank);
    if (request.seed) used.seed = static_cast<std::uint32_t>(*request.seed);
    used.spread = request.spread;
    used.epsilon = request.epsilon;
    return used;
}

}  // namespace

Invocation prepare_latent() {
    const auto request = std::make_shared<Request>();
    return experiment(
        {vector_option("--input", "what is compressed", "1,-1,1,... of width 64", request->input),
         whole_option("--rank", "the width of the latent", 1, 512, "8", request->rank),
         whole_option("--seed", "of the Mersenne Twister that draws the weights", 0,
                      std::numeric_limits<std::uint32_t>::max(), "5489", request->seed),
         number_option("--spread", "weights are uniform from minus this to this", "0.5",
                       Least::above_zero, request->spread),
         epsilon_option("1e-5", request->epsilon)},
        [request](report::Extent extent) {
            return present("latent", evidence::replayed([&] {
                               return evidence::book::latent(requested(*request));
                           }),
                           extent);
        });
}

}  // namespace rmsnorm::cli
