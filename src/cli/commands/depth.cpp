// rmsnorm-fixture depth: pre-norm and post-norm stacks.
#include "experiments/normalization/depth.hpp"

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
    std::optional<std::vector<float>> input;
    std::vector<std::size_t> depths = experiments::normalization::book_depth_case().depths;
    float epsilon = experiments::normalization::book_depth_case().epsilon;
    bool final_norm = false;
};

}  // namespace

Invocation prepare_depth() {
    namespace book = experiments::normalization;
    const auto request = std::make_shared<Request>();
    return experiment(
        {vector_option("--input", "what enters the stacks", "1,2,3,4", request->input),
         whole_list_option("--depths", "how many layers the stacks have, each from 1 to 10000", 1,
                           10000, "1,2,4,8,16,32", request->depths),
         epsilon_option("1e-6", request->epsilon),
         {.names = "--final-norm",
          .value_name = "",
          .help = "end the pre-norm stacks with one normalization more",
          .default_text = "",
          .accept = [request](const std::string&) { request->final_norm = true; }}},
        [request](report::Extent extent) {
            try {
                return present("depth", evidence::replayed([&] {
                                   return book::depth(
                                       {request->input.value_or(book::values::ascending_four()),
                                        request->depths, request->epsilon, request->final_norm});
                               }),
                               extent);
            } catch (const experiments::normalization::DepthError& error) {
                throw InputError(std::string("--input: ") + error.what());
            }
        });
}

}  // namespace rmsnorm::cli
