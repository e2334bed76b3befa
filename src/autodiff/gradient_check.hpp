// Analytic gradients compared with central differences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <variant>
#include <vector>

#include "tensor/tensor.hpp"

namespace rmsnorm::autodiff {

struct CoordinateCheck {
    std::size_t index;  // flat
    double analytic;
    double numerical;
    double scaled_error;  // |analytic - numerical| after both are divided by max(1, |a|, |n|)
    bool passed;          // scaled_error is at most the tolerance
};

struct GradientCheck {
    double step;
    double tolerance;
    std::vector<CoordinateCheck> coordinates;  // in the order asked for
    bool passed;                               // every coordinate passed
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
};

struct InvalidTolerance {
    double value;
};

/// A coordinate moved by the step is the same number.
struct UnchangedProbe {
    std::size_t index;
    double value;
    double step;
};

struct ZeroSamples {};

struct CoordinateOutOfRange {
    std::size_t index;
    std::size_t size;
};

struct GradientShapeMismatch {
    tensor::Shape point;
    tensor::Shape gradient;
};

/// The probe's result, or a point moved by the step, is infinite or a NaN.
struct NonFiniteProbe {
    std::size_t index;
    double value;
};

class GradientCheckError : public std::runtime_error {
  public:
    using Case = std::variant<InvalidStep, InvalidTolerance, UnchangedProbe, ZeroSamples,
                              CoordinateOutOfRange, GradientShapeMismatch, NonFiniteProbe>;

    explicit GradientCheckError(Case rejection);

    const Case& rejection() const { return rejection_; }

  private:
    Case rejection_;
};

}  // namespace rmsnorm::autodiff
