// The exact results of the experiments on RMSNorm of fixture 25, by their definitions.
#pragma once

#include "evidence/certificate.hpp"
#include "experiments/rmsnorm/chapter.hpp"
#include "experiments/rmsnorm/sweep.hpp"

namespace rmsnorm::experiments {

/// One for each figure of `results(evidence)`; included wherever these experiments are declared
/// (evidence/experiment.hpp).
ExactFigures exact_figures(const Forward& evidence, int bits);
ExactFigures exact_figures(const Backward& evidence, int bits);
ExactFigures exact_figures(const Scale& evidence, int bits);
ExactFigures exact_figures(const Sweep& evidence, int bits);
ExactFigures exact_figures(const Zero& evidence, int bits);
ExactFigures exact_figures(const Batch& evidence, int bits);
ExactFigures exact_figures(const History& evidence, int bits);
ExactFigures exact_figures(const GradientChecks& evidence, int bits);
ExactFigures exact_figures(const Parameters& evidence, int bits);
ExactFigures exact_figures(const Boundaries& evidence, int bits);
ExactFigures exact_figures(const Replay& evidence, int bits);
ExactFigures exact_figures(const Chapter& evidence, int bits);

}  // namespace rmsnorm::experiments
