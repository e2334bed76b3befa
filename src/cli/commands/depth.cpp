// rmsnorm-fixture depth: pre-norm and post-norm stacks.
#include "evidence/book/depth.hpp"

#include <memory>

#include "cli/book_options.hpp"
#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "evidence/replay.hpp"
#include "report/book_text.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::optional<std::vector<float>> input;
    std::vector<std::size_t> depths = evidence::book::book_depth_case().depths;
    float epsilon = evidence::book::book_depth_case().epsilon;
};

}  // namespace

Invocation prepare_depth() {
    namespace book = evidence::book;
    const auto request = std::make_shared<Request>();
    return experiment(
        {vector_option("--input", "what enters the stacks", "1,2,3,4", request->input),
         whole_list_option("--depths", "how many layers the stacks have, each from 1 to 10000", 1,
                           10000, "1,2,4,8,16,32", request->depths),
         epsilon_option("1e-6", request->epsilon)},
        [request](report::Extent extent) {
            try {
                return present(
                    "depth", evidence::replayed([&] {
                        return book::depth({request->input.value_or(book::values::ascending_four()),
                                            request->depths, request->epsilon});
                    }),
                    extent);
            } catch (const evidence::book::DepthError& error) {
                throw InputError(std::string("--input: ") + error.what());
            }
        });
}

}  // namespace rmsnorm::cli
