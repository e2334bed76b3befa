// rmsnorm-fixture cost: the counted arithmetic of LayerNorm and RMSNorm.
#include "experiments/normalization/cost.hpp"

#include <memory>

#include "cli/book_options.hpp"
#include "cli/commands.hpp"
#include "cli/legacy_experiment.hpp"
#include "evidence/replay.hpp"
#include "report/book_text.hpp"

namespace rmsnorm::cli {

Invocation prepare_cost() {
    namespace book = experiments::normalization;
    constexpr std::uint64_t widest = 1U << 20;
    const auto width = std::make_shared<std::optional<std::uint64_t>>();
    return experiment(
        {whole_option("--width", "of the normalized vector", 1, widest, "512", *width)},
        [width](report::Extent extent) {
            return present("cost", evidence::replayed([&] {
                               return book::cost(static_cast<std::size_t>(
                                   width->value_or(book::book_cost_width)));
                           }),
                           extent);
        });
}

}  // namespace rmsnorm::cli
