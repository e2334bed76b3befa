// rmsnorm-fixture parameters: the gain's optimizer group.
#include "evidence/parameters.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_parameters() {
    return experiment({}, [](report::Extent extent) {
        return present("parameters", evidence::replayed([&] {
                           return evidence::parameters({}, {evidence::chapter_values::gain_name});
                       }),
                       extent);
    });
}

}  // namespace rmsnorm::cli
