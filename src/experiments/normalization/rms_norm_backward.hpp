// Exercise 2: RMSNorm's gradients in closed form, against central differences and the tape.
#pragma once

#include <cstdint>
#include <string>

#include "evidence/check.hpp"
#include "experiments/normalization/probes.hpp"
#include "experiments/normalization/vectors.hpp"
#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {

struct RmsNormBackwardCase {
    Vector input;
    Vector gamma;
    Vector upstream;
    float epsilon;
    ProbeChoice choice;
};

/// One of the two gradients, by every way to it.
struct RmsNormGradient {
    Vector closed_form;                 // binary32
    Vector numerical;                   // central differences of the binary32 forward pass
    std::vector<bool> matches;          // closed form and central difference
    Disagreement largest_disagreement;  // of these two
    std::vector<double> closed_form64;  // the same formula in binary64
    std::vector<double> tape;           // the reverse pass of fixture 25, binary64
    std::uint64_t largest_ulp;          // between the last two
};

struct RmsNormBackward {
    RmsNormBackwardCase inputs;
    Vector normalized;  // before gamma
    float inverse_rms;
    float step;   // of the central differences
    bool by_row;  // and in units of what: of the row, or of 1
    RmsNormGradient input_gradient;
    RmsNormGradient gamma_gradient;
    std::vector<Check> checks;
};

RmsNormBackwardCase book_rms_norm_backward_case();

/// Throws nn::NormalizationError, nn::RmsNormError, autodiff::AutodiffError or
/// autodiff::GradientCheckError.
RmsNormBackward rms_norm_backward(const RmsNormBackwardCase& backward_case);

/// The same for binary32 gradients that are already known.
RmsNormBackward rms_norm_backward(const RmsNormBackwardCase& backward_case,
                                  const nn::RmsNormGradients<float>& gradients);

/// How far a gradient's ways may be apart: the closed form in binary64 and the tape by `units` of
/// 2^-53 of the terms, the closed form in binary32 and the tape by `error` more.
struct TapeBounds {
    std::vector<double> terms;
    std::vector<double> error;
    double units;
};

std::vector<Check> tape_checks(const std::string& name, const RmsNormGradient& gradient,
                               const TapeBounds& bounds);

struct RmsNormTapeBounds {
    TapeBounds input;
    TapeBounds gamma;
};

RmsNormTapeBounds tape_bounds(const RmsNormBackwardCase& backward_case);

Record inputs(const RmsNormBackward& evidence);
Record results(const RmsNormBackward& evidence);

/// The object `rms_norm_backward` of a report.
Record rms_norm_backward_record(const RmsNormBackward& evidence);

}  // namespace rmsnorm::experiments::normalization
