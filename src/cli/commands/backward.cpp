// rmsnorm-fixture backward: the gradients of input and gain.
#include "evidence/backward.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "cli/layer_options.hpp"
#include "cli/npy_output.hpp"
#include "evidence/chapter_values.hpp"

namespace rmsnorm::cli {

Invocation prepare_backward() {
    const evidence::LayerCase defaults = evidence::chapter_values::layer_case();
    const auto layer = std::make_shared<LayerOptions>();
    layer->empty_allowed = true;
    std::vector<Option> options;
    add_layer_options(options, layer, LayerPart::gain_and_upstream, defaults);
    const auto run = [layer, defaults] {
        return evidence::checked_backward(read_layer_case(*layer, defaults));
    };
    return experiment(
        std::move(options),
        [run](report::Extent extent) { return present("backward", run(), extent); },
        [run](const std::string& path) {
            const evidence::Backward evidence = run();
            write_npy(path, evidence.input_gradient);
            return exit_code_of(evidence.checks);
        });
}

}  // namespace rmsnorm::cli
