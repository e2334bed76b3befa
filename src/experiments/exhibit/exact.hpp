// The exact results of the exhibit's comparisons, claims and seeded forward, by their definitions.
#pragma once

#include "evidence/certificate.hpp"
#include "experiments/exhibit/comparison.hpp"
#include "experiments/exhibit/exhibit.hpp"

namespace rmsnorm::experiments {

/// One for each figure of `results(evidence)`.
evidence::ExactFigures exact_figures(const Comparison& evidence, int bits);
evidence::ExactFigures exact_figures(const Exhibit& evidence, int bits);

}  // namespace rmsnorm::experiments
