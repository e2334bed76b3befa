// The exact results of the experiments of fixture 23, by their definitions. The inputs are the
// exact binary32 values.
#pragma once

#include "evidence/certificate.hpp"
#include "experiments/normalization/book.hpp"

namespace rmsnorm::experiments::normalization {

/// One for each figure of `results(evidence)`.
evidence::ExactFigures exact_figures(const Stats& evidence, int bits);
evidence::ExactFigures exact_figures(const LayerNorm& evidence, int bits);
evidence::ExactFigures exact_figures(const RmsNorm& evidence, int bits);
evidence::ExactFigures exact_figures(const Compare& evidence, int bits);
evidence::ExactFigures exact_figures(const Depth& evidence, int bits);
evidence::ExactFigures exact_figures(const LayerNormBackward& evidence, int bits);
evidence::ExactFigures exact_figures(const Constant& evidence, int bits);
evidence::ExactFigures exact_figures(const RmsNormBackward& evidence, int bits);
evidence::ExactFigures exact_figures(const DenseStack& evidence, int bits);
evidence::ExactFigures exact_figures(const Cost& evidence, int bits);
evidence::ExactFigures exact_figures(const ClosedForm& evidence, int bits);
evidence::ExactFigures exact_figures(const Latent& evidence, int bits);
evidence::ExactFigures exact_figures(const Book& evidence, int bits);

}  // namespace rmsnorm::experiments::normalization
