// The fixture 25-rmsnorm: every experiment of the chapter with the chapter's values.
#pragma once

#include <string>
#include <vector>

#include "evidence/default_text.hpp"
#include "evidence/record.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/boundaries.hpp"
#include "experiments/rmsnorm/forward.hpp"
#include "experiments/rmsnorm/gradient_check.hpp"
#include "experiments/rmsnorm/history.hpp"
#include "experiments/rmsnorm/parameters.hpp"
#include "experiments/rmsnorm/scale.hpp"
#include "experiments/rmsnorm/zero.hpp"

namespace rmsnorm::experiments {

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

/// The whole report.
std::string text(const Chapter& evidence);

/// Experiment: the whole fixture twice, and whether every bit came back.
struct Replay {
    bool bitwise;
    std::vector<Check> checks;
};

Replay replay(const NoInputs& inputs = {});

Record results(const Replay& evidence);
std::string text(const Replay& evidence, Extent extent);

}  // namespace rmsnorm::experiments
