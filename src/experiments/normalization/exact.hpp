// The exact results of the experiments of fixture 23, by their definitions. The inputs are the
// exact binary32 values.
#pragma once

#include "evidence/certificate.hpp"
#include "experiments/normalization/book.hpp"
#include "experiments/normalization/closed_form.hpp"
#include "experiments/normalization/compare.hpp"
#include "experiments/normalization/constant.hpp"
#include "experiments/normalization/cost.hpp"
#include "experiments/normalization/dense_stack.hpp"
#include "experiments/normalization/depth.hpp"
#include "experiments/normalization/drift.hpp"
#include "experiments/normalization/latent.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/layer_norm_backward.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/rms_norm_backward.hpp"
#include "experiments/normalization/stats.hpp"

namespace rmsnorm::experiments::normalization {

/// One for each figure of `results(evidence)`; included wherever these experiments are declared
/// (evidence/experiment.hpp).
ExactFigures exact_figures(const Stats& evidence, int bits);
ExactFigures exact_figures(const LayerNorm& evidence, int bits);
ExactFigures exact_figures(const RmsNorm& evidence, int bits);
ExactFigures exact_figures(const Compare& evidence, int bits);
ExactFigures exact_figures(const Depth& evidence, int bits);
ExactFigures exact_figures(const LayerNormBackward& evidence, int bits);
ExactFigures exact_figures(const Constant& evidence, int bits);
ExactFigures exact_figures(const RmsNormBackward& evidence, int bits);
ExactFigures exact_figures(const DenseStack& evidence, int bits);
ExactFigures exact_figures(const Cost& evidence, int bits);
ExactFigures exact_figures(const ClosedForm& evidence, int bits);
ExactFigures exact_figures(const Latent& evidence, int bits);
ExactFigures exact_figures(const Drift& evidence, int bits);
ExactFigures exact_figures(const Book& evidence, int bits);

}  // namespace rmsnorm::experiments::normalization
