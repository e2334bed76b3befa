// rmsnorm-fixture gradcheck: gradients against central differences.
#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/gradient_check.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_gradcheck() {
    return experiment({}, [](report::Extent extent) {
        return present(
            "gradcheck",
            evidence::gradient_checks(
                {evidence::chapter_values::layer_case(), evidence::chapter_values::step,
                 evidence::chapter_values::tolerance, evidence::chapter_values::input().size(), 0}),
            extent);
    });
}

}  // namespace rmsnorm::cli
