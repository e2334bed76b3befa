// rmsnorm-fixture batch: rows together and alone.
#include "evidence/batch.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "cli/layer_options.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_batch() {
    evidence::LayerCase defaults = evidence::chapter_values::layer_case();
    defaults.input = evidence::chapter_values::rows();
    const auto layer = std::make_shared<LayerOptions>();
    std::vector<Option> options;
    add_layer_options(options, layer, LayerPart::gain, defaults);
    return experiment(std::move(options), [layer, defaults](report::Extent extent) {
        const evidence::LayerCase layer_case = read_layer_case(*layer, defaults);
        return present("batch", evidence::replayed([&] { return evidence::batch(layer_case); }),
                       extent);
    });
}

}  // namespace rmsnorm::cli
