// Experiment: pre-norm and post-norm stacks of growing depth, all of it binary32.
//
// The sublayer is 0.5 * x + 0.1. Post-norm: h = normalize(h + sublayer(h)); pre-norm: h = h +
// sublayer(normalize(h)); RMSNorm here divides by the root.
#pragma once

#include <cstddef>

#include "evidence/book/vectors.hpp"
#include "evidence/check.hpp"

namespace rmsnorm::evidence::book {

enum class Placement { post_norm, pre_norm };

struct DepthCase {
    Vector input;
    std::vector<std::size_t> depths;
    float epsilon;
};

struct DepthRow {
    std::size_t depth;
    float post_norm_output_norm;
    float post_norm_sensitivity;  // norm of (moved - base) / 1e-3, first input moved by 1e-3
    float pre_norm_output_norm;
    float pre_norm_sensitivity;
    float post_norm_mean_square;  // what the last post-norm layer divided out
};

struct Depth {
    DepthCase inputs;
    std::vector<DepthRow> rows;  // in the order of `inputs.depths`
    std::vector<Check> checks;
};

DepthCase book_depth_case();

/// Throws nn::NormalizationError, or autodiff::GradientCheckError (UnchangedProbe) when the first
/// input is too large to be moved.
Depth depth(const DepthCase& depth_case);

Record inputs(const Depth& evidence);
Record results(const Depth& evidence);

/// The array `depth` of a report.
Array depth_array(const Depth& evidence);

/// A post-norm output ends in a normalization, which fixes its norm at every depth.
Check post_norm_check(const Depth& evidence);

/// The output of `depth` layers.
Vector stack_output(const Vector& input, std::size_t depth, Placement placement, float epsilon);

}  // namespace rmsnorm::evidence::book
