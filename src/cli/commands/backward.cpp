// rmsnorm-fixture backward: the gradients of input and gain.
#include "evidence/backward.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_backward() {
    return experiment({}, [](report::Extent extent) {
        return present("backward", evidence::backward(evidence::chapter_values::layer_case()),
                       extent);
    });
}

}  // namespace rmsnorm::cli
