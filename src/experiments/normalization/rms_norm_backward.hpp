// Exercise 2: RMSNorm's gradients in closed form, against central differences and the tape.
#pragma once

#include <cstdint>
#include <string>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/probes.hpp"
#include "experiments/normalization/vectors.hpp"
#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {

struct RmsNormBackwardInputs {
    Vector input = values::five();
    Vector gamma = values::five_gamma();
    Vector upstream = values::five_upstream();
    float epsilon = values::epsilon;
    ProbeChoice choice = {};

    std::vector<Input> declared();
    void complete(const Given& given);
};

/// One of the two gradients, by every way to it.
struct RmsNormGradient {
    Vector closed_form;                   // binary32
    Vector numerical;                     // central differences of the binary32 forward pass
    std::vector<double> numerical_error;  // what rounding and the step may have done to them
    std::vector<Decision> matches;        // closed form and central difference
    Disagreement largest_disagreement;    // of these two
    std::vector<double> closed_form64;    // the same formula in binary64
    std::vector<double> tape;             // the reverse pass of fixture 25, binary64
    std::uint64_t largest_ulp;            // between the last two
};

struct RmsNormBackward {
    RmsNormBackwardInputs inputs;
    Vector normalized;  // before gamma
    float inverse_rms;
    RmsNormGradient input_gradient;
    RmsNormGradient gamma_gradient;
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError, nn::RmsNormError or autodiff::AutodiffError, or InputRejection
/// for a step that does not fit.
RmsNormBackward rms_norm_backward(const RmsNormBackwardInputs& inputs);

/// The same for binary32 gradients that are already known.
RmsNormBackward judged(const RmsNormBackwardInputs& inputs,
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

RmsNormTapeBounds tape_bounds(const RmsNormBackwardInputs& inputs);

Record results(const RmsNormBackward& evidence);
std::string text(const RmsNormBackward& evidence, Extent extent);

}  // namespace rmsnorm::experiments::normalization
