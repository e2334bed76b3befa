// Experiment: pre-norm and post-norm stacks of growing depth, all of it binary32.
//
// The sublayer is 0.5 * x + 0.1. Post-norm: h = normalize(h + sublayer(h)); pre-norm: h = h +
// sublayer(normalize(h)), and on request one more normalization after the last layer; RMSNorm here
// divides by the root.
#pragma once

#include <cstddef>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

enum class Placement { post_norm, pre_norm };

struct DepthInputs {
    Vector input = {1, 2, 3, 4};
    std::vector<std::size_t> depths = {1, 2, 4, 8, 16, 32};
    float epsilon = 1e-6F;
    bool final_norm = false;  // ends the pre-norm stacks with a normalization

    std::vector<Input> declared();
};

struct DepthRow {
    std::size_t depth;
    float post_norm_output_norm;
    float post_norm_sensitivity;  // norm of (moved - base) / 1e-3, first input moved by 1e-3
    float pre_norm_output_norm;
    float pre_norm_sensitivity;
    float post_norm_mean_square;  // what the last post-norm layer divided out
    float pre_norm_mean_square;   // and what the final norm did
};

struct Depth {
    DepthInputs inputs;
    std::vector<DepthRow> rows;  // in the order of `inputs.depths`
    std::vector<Check> checks;
};

/// The sensitivities are quotients by 1e-3. Throws nn::NormalizationError, or InputRejection when
/// the first input, rounded to binary32, moves by less or more than that to within one percent.
/// Below 256 it does: half a unit in the last place is 2^-17 there.
Depth depth(const DepthInputs& inputs);

Record results(const Depth& evidence);
std::string text(const Depth& evidence, Extent extent);

/// A post-norm output ends in a normalization, which fixes its norm at every depth; so does a
/// pre-norm output with a final norm.
std::vector<Check> output_norm_checks(const Depth& evidence);

/// The output of `depth` layers.
Vector stack_output(const Vector& input, std::size_t depth, Placement placement, float epsilon);

}  // namespace rmsnorm::experiments::normalization
