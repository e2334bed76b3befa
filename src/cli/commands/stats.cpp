// rmsnorm-fixture stats: the statistics of two vectors.
#include "experiments/normalization/stats.hpp"

#include <memory>

#include "cli/book_options.hpp"
#include "cli/commands.hpp"
#include "cli/legacy_experiment.hpp"
#include "evidence/replay.hpp"
#include "report/book_text.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::optional<std::vector<float>> a;
    std::optional<std::vector<float>> b;
};

}  // namespace

Invocation prepare_stats() {
    namespace book = experiments::normalization;
    const auto request = std::make_shared<Request>();
    return experiment(
        with_one_reader(
            {vector_option("--input", "vector a", "100,102,98,101,99,103", request->a),
             vector_option("--other", "vector b", "0.001,0.003,-0.001,0.002,0,0.004", request->b)}),
        [request](report::Extent extent) {
            return present("stats", evidence::replayed([&] {
                               return book::stats(request->a.value_or(book::values::hundreds()),
                                                  request->b.value_or(book::values::thousandths()));
                           }),
                           extent);
        });
}

}  // namespace rmsnorm::cli
