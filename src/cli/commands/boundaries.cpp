// rmsnorm-fixture boundaries: what the layer must reject.
#include "evidence/boundaries.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_boundaries() {
    return experiment({}, [](report::Extent extent) {
        return present("boundaries", evidence::replayed([&] { return evidence::every_boundary(); }),
                       extent);
    });
}

}  // namespace rmsnorm::cli
