// rmsnorm-fixture history: three norms on one anchor.
#include "evidence/history.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_history() {
    return experiment({}, [](report::Extent extent) {
        return present("history",
                       evidence::history(evidence::chapter_values::anchor(),
                                         evidence::chapter_values::companions(),
                                         evidence::chapter_values::epsilon),
                       extent);
    });
}

}  // namespace rmsnorm::cli
