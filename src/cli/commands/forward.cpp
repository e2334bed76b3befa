// rmsnorm-fixture forward: one forward pass with every intermediate tensor.
#include "evidence/forward.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_forward() {
    return experiment({}, [](report::Extent extent) {
        return present("forward", evidence::forward(evidence::chapter_values::layer_case()),
                       extent);
    });
}

}  // namespace rmsnorm::cli
