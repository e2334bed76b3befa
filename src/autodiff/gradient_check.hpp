// Analytic gradients compared with central differences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "numeric/typed_error.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::autodiff {

struct CoordinateCheck {
    std::size_t index;  // flat
    double analytic;
    double numerical;
    double scaled_error;  // |analytic - numerical| after both are divided by max(1, |a|, |n|)
    bool passed;          // scaled_error is at most the tolerance
    bool decided = true;  // unset by whoever finds that the step or the tolerance tell nothing
};

struct GradientCheck {
    double step;
    double tolerance;
    std::vector<CoordinateCheck> coordinates;  // in the order asked for
    bool passed;                               // every coordinate passed
    bool decided = true;                       // as of a coordinate
};

/// A function of one tensor with a scalar result.
using Probe = std::function<double(const tensor::Tensor&)>;

/// Compares `analytic` (the gradient at `point`, of its shape) with central differences of `probe`
/// at the flat indices in `coordinates`.
///
/// With minus = p - step and plus = p + step as they round, and the spacings that really occurred,
/// p - minus and plus - p, the two one-sided slopes are weighted by the opposite spacing over their
/// sum. Throws GradientCheckError.
GradientCheck check_gradient(const tensor::Tensor& point, const tensor::Tensor& analytic,
                             double step, double tolerance,
                             const std::vector<std::size_t>& coordinates, const Probe& probe);

/// All of 0 … size-1 when `samples` reaches `size`; otherwise `samples` different ones, ascending,
/// drawn by the Mersenne Twister MT19937 from `seed`. Throws GradientCheckError (ZeroSamples).
std::vector<std::size_t> sample_coordinates(std::size_t size, std::size_t samples,
                                            std::uint32_t seed);

struct InvalidStep {
    double value;

    bool operator==(const InvalidStep&) const = default;
};

struct InvalidTolerance {
    double value;

    bool operator==(const InvalidTolerance&) const = default;
};

/// A coordinate moved by the step is the same number.
struct UnchangedProbe {
    std::size_t index;
    double value;
    double step;

    bool operator==(const UnchangedProbe&) const = default;
};

struct ZeroSamples {
    bool operator==(const ZeroSamples&) const = default;
};

struct CoordinateOutOfRange {
    std::size_t index;
    std::size_t size;

    bool operator==(const CoordinateOutOfRange&) const = default;
};

struct GradientShapeMismatch {
    tensor::Shape point;
    tensor::Shape gradient;

    bool operator==(const GradientShapeMismatch&) const = default;
};

/// The probe's result, or a point moved by the step, is infinite or a NaN.
struct NonFiniteProbe {
    std::size_t index;
    double value;

    bool operator==(const NonFiniteProbe&) const = default;
};

class GradientCheckError
    : public numeric::TypedError<InvalidStep, InvalidTolerance, UnchangedProbe, ZeroSamples,
                                 CoordinateOutOfRange, GradientShapeMismatch, NonFiniteProbe> {
  public:
    explicit GradientCheckError(Case rejection);
};

}  // namespace rmsnorm::autodiff
