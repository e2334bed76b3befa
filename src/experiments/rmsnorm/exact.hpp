// The exact results of the experiments on RMSNorm of fixture 25, by their definitions.
#pragma once

#include "evidence/certificate.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/boundaries.hpp"
#include "experiments/rmsnorm/chapter.hpp"
#include "experiments/rmsnorm/forward.hpp"
#include "experiments/rmsnorm/gradient_check.hpp"
#include "experiments/rmsnorm/history.hpp"
#include "experiments/rmsnorm/parameters.hpp"
#include "experiments/rmsnorm/scale.hpp"
#include "experiments/rmsnorm/sweep.hpp"
#include "experiments/rmsnorm/zero.hpp"

namespace rmsnorm::experiments {

/// One for each figure of `results(evidence)`.
evidence::ExactFigures exact_figures(const Forward& evidence, int bits);
evidence::ExactFigures exact_figures(const Backward& evidence, int bits);
evidence::ExactFigures exact_figures(const Scale& evidence, int bits);
evidence::ExactFigures exact_figures(const Sweep& evidence, int bits);
evidence::ExactFigures exact_figures(const Zero& evidence, int bits);
evidence::ExactFigures exact_figures(const Batch& evidence, int bits);
evidence::ExactFigures exact_figures(const History& evidence, int bits);
evidence::ExactFigures exact_figures(const GradientChecks& evidence, int bits);
evidence::ExactFigures exact_figures(const Parameters& evidence, int bits);
evidence::ExactFigures exact_figures(const Boundaries& evidence, int bits);
evidence::ExactFigures exact_figures(const Replay& evidence, int bits);
evidence::ExactFigures exact_figures(const Chapter& evidence, int bits);

}  // namespace rmsnorm::experiments
