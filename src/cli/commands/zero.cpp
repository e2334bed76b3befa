// rmsnorm-fixture zero: an all-zero row.
#include "evidence/zero.hpp"

#include "cli/commands.hpp"
#include "cli/experiment.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"

namespace rmsnorm::cli {

Invocation prepare_zero() {
    return experiment({}, [](report::Extent extent) {
        return present("zero",
                       evidence::zero(evidence::chapter_values::input().size(),
                                      evidence::chapter_values::epsilon),
                       extent);
    });
}

}  // namespace rmsnorm::cli
