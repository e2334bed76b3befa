// rmsnorm-fixture batch: rows together and alone.
#include "evidence/batch.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "cli/layer_options.hpp"
#include "evidence/chapter_values.hpp"

namespace rmsnorm::cli {

Invocation prepare_batch() {
    evidence::LayerCase defaults = evidence::chapter_values::layer_case();
    defaults.input = evidence::chapter_values::rows();
    const auto layer = std::make_shared<LayerOptions>();
    layer->empty_allowed = true;
    std::vector<Option> options;
    add_layer_options(options, layer, LayerPart::gain, defaults);
    return experiment(std::move(options), [layer, defaults](report::Extent extent) {
        return present("batch", evidence::checked_batch(read_layer_case(*layer, defaults)), extent);
    });
}

}  // namespace rmsnorm::cli
