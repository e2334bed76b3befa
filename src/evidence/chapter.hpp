// The fixture 25-rmsnorm: every experiment of the chapter with the chapter's values.
#pragma once

#include <string>
#include <vector>

#include "evidence/backward.hpp"
#include "evidence/batch.hpp"
#include "evidence/boundaries.hpp"
#include "evidence/forward.hpp"
#include "evidence/gradient_check.hpp"
#include "evidence/history.hpp"
#include "evidence/parameters.hpp"
#include "evidence/record.hpp"
#include "evidence/scale.hpp"
#include "evidence/zero.hpp"

namespace rmsnorm::evidence {

struct Chapter {
    Parameters parameters;
    Forward forward;
    Backward backward;
    Scale scale;
    Zero zero;
    Batch batch;
    History history;
    Boundaries boundaries;
    GradientChecks gradient_checks;
    bool replay_bitwise;        // all of the above, computed twice from scratch
    std::vector<Check> checks;  // of every experiment, each name led by the experiment's
};

Chapter chapter();

/// What the website loads: the objects of a report in their documented order.
Record results(const Chapter& evidence);

/// Experiment: the whole fixture twice, and whether every bit came back.
struct Replay {
    bool bitwise;
    std::vector<Check> checks;
};

Replay replay();

Record inputs(const Replay& evidence);
Record results(const Replay& evidence);

}  // namespace rmsnorm::evidence
