// The exact results of the exhibit's comparisons, claims and seeded forward, by their definitions.
#pragma once

#include "evidence/certificate.hpp"
#include "experiments/exhibit/exhibit.hpp"

namespace rmsnorm::experiments {

/// One for each figure of `results(evidence)`; included wherever these experiments are declared
/// (evidence/experiment.hpp).
ExactFigures exact_figures(const Comparison& evidence, int bits);
ExactFigures exact_figures(const Exhibit& evidence, int bits);

}  // namespace rmsnorm::experiments
