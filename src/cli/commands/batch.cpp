// rmsnorm-fixture batch: rows together and alone.
#include "evidence/batch.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_batch() {
    return experiment({}, [](report::Extent extent) {
        evidence::LayerCase layer_case = evidence::chapter_values::layer_case();
        layer_case.input = evidence::chapter_values::rows();
        return present("batch", evidence::replayed([&] { return evidence::batch(layer_case); }),
                       extent);
    });
}

}  // namespace rmsnorm::cli
