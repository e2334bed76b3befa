// rmsnorm-fixture replay: the fixture twice, bit by bit.
#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/chapter.hpp"

namespace rmsnorm::cli {

Invocation prepare_replay() {
    return experiment(
        {}, [](report::Extent extent) { return present("replay", evidence::replay(), extent); });
}

}  // namespace rmsnorm::cli
