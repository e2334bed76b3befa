// rmsnorm-fixture forward: one pass with every intermediate tensor.
#include "evidence/forward.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "cli/forward_npy.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_forward() {
    const evidence::LayerCase defaults = evidence::chapter_values::layer_case();
    const auto layer = std::make_shared<LayerOptions>();
    layer->empty_allowed = true;
    std::vector<Option> options;
    add_layer_options(options, layer, LayerPart::gain, defaults);
    return experiment(
        std::move(options),
        [layer, defaults](report::Extent extent) {
            const evidence::LayerCase layer_case = read_layer_case(*layer, defaults);
            return present("forward",
                           evidence::replayed([&] { return evidence::forward(layer_case); }),
                           extent);
        },
        [layer, defaults](const std::string& path) {
            return forward_to_npy(*layer, defaults, path);
        });
}

}  // namespace rmsnorm::cli
