// How far a binary32 pass of the fixture may be from exact arithmetic; docs/checks.md derives it.
//
// What is exact here is computed in binary64 from the binary32 inputs. An error is absolute, and
// one for each component: it is made of the magnitudes that really met there.
#pragma once

#include <vector>

#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

/// One rounding to binary32, relative to the result, with room for terms of second order and for
/// the binary64 sums on both sides; and what a result below the normal numbers loses at most.
inline constexpr double rounding_unit = 1.02 * binary32_unit;
inline constexpr double underflow_loss = 0x1p-150;

/// A forward pass with a gamma of ones and a beta of zeros.
struct NormBounds {
    std::vector<double> input;  // less its mean for LayerNorm
    double square;              // mean of the squares of `input`
    double inverse;             // 1 / sqrt(square + epsilon)
    double inverse_error;
    std::vector<double> normalized;  // input * inverse
    std::vector<double> error;       // of `normalized`
};

/// The bounds of a pass that the layer accepts.
NormBounds layer_norm_bounds(const Vector& input, float epsilon);
NormBounds rms_norm_bounds(const Vector& input, float epsilon);

/// `sqrt(square / (square + epsilon))`: the RMS that epsilon leaves to a normalized vector.
double normalized_rms(const NormBounds& bounds);

/// The most by which rounding moves the RMS of the normalized vector: no vector of errors changes a
/// norm by more than its own.
double rms_error(const NormBounds& bounds);

/// The errors of RMSNorm's output with `gamma`, of the bounds without one.
std::vector<double> scaled_error(const NormBounds& bounds, const Vector& gamma);

/// The errors of nn::layer_norm_backward's binary32 gradient.
std::vector<double> layer_norm_gradient_error(const NormBounds& bounds, const Vector& upstream);

struct RmsNormGradientErrors {
    std::vector<double> input;
    std::vector<double> gamma;
};

/// The errors of nn::rms_norm_backward's binary32 gradients.
RmsNormGradientErrors rms_norm_gradient_errors(const NormBounds& bounds, const Vector& gamma,
                                               const Vector& upstream);

}  // namespace rmsnorm::experiments::normalization
