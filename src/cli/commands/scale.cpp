// rmsnorm-fixture scale: a factor on the input.
#include "evidence/scale.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_scale() {
    return experiment({}, [](report::Extent extent) {
        return present("scale", evidence::replayed([&] {
                           return evidence::scale(evidence::chapter_scale_cases());
                       }),
                       extent);
    });
}

}  // namespace rmsnorm::cli
