#include "autodiff/gradient_check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "numeric/decimal.hpp"

namespace rmsnorm::autodiff {
namespace {

double central_difference(const tensor::Tensor& point, std::size_t index, double step,
                          double at_point, const Probe& probe) {
    const double p = point[index];
    const double minus = p - step;
    const double plus = p + step;
    if (minus == p || plus == p) throw GradientCheckError(UnchangedProbe{index, p, step});
    const auto value_at = [&](double moved) {
        if (!std::isfinite(moved)) throw GradientCheckError(NonFiniteProbe{index, moved});
        tensor::Tensor probed = point;
        probed[index] = moved;
        const double value = probe(probed);
        if (!std::isfinite(value)) throw GradientCheckError(NonFiniteProbe{index, value});
        return value;
    };
    const double left = p - minus;
    const double right = plus - p;
    const double left_slope = (at_point - value_at(minus)) / left;
    const double right_slope = (value_at(plus) - at_point) / right;
    return (left_slope * right + right_slope * left) / (left + right);
}

CoordinateCheck compare(std::size_t index, double analytic, double numerical, double tolerance) {
    const double scale = std::max({1.0, std::fabs(analytic), std::fabs(numerical)});
    const double error = std::fabs(analytic / scale - numerical / scale);
    return {index, analytic, numerical, error, error <= tolerance};
}

std::string message(const InvalidStep& e) {
    return "gradient check step must be finite and positive, got " + numeric::shortest(e.value);
}

std::string message(const InvalidTolerance& e) {
    return "gradient check tolerance must be finite and nonnegative, got " +
           numeric::shortest(e.value);
}

std::string message(const UnchangedProbe& e) {
    return "gradient check step " + numeric::shortest(e.step) + " does not change coordinate " +
           std::to_string(e.index) + " with value " + numeric::shortest(e.value);
}

std::string message(const ZeroSamples&) {
    return "gradient check needs at least one sampled coordinate";
}

std::string message(const CoordinateOutOfRange& e) {
    return "gradient check coordinate " + std::to_string(e.index) + " is not below the size " +
           std::to_string(e.size);
}

std::string message(const GradientShapeMismatch& e) {
    return "gradient check needs a gradient of shape " + tensor::to_text(e.point) + ", got " +
           tensor::to_text(e.gradient);
}

std::string message(const NonFiniteProbe& e) {
    return "gradient check probe of coordinate " + std::to_string(e.index) +
           " is not finite: " + numeric::shortest(e.value);
}

}  // namespace

GradientCheck check_gradient(const tensor::Tensor& point, const tensor::Tensor& analytic,
                             double step, double tolerance,
                             const std::vector<std::size_t>& coordinates, const Probe& probe) {
    if (!std::isfinite(step) || step <= 0) throw GradientCheckError(InvalidStep{step});
    if (!std::isfinite(tolerance) || tolerance < 0) {
        throw GradientCheckError(InvalidTolerance{tolerance});
    }
    if (analytic.shape() != point.shape()) {
        throw GradientCheckError(GradientShapeMismatch{point.shape(), analytic.shape()});
    }
    if (coordinates.empty()) throw GradientCheckError(ZeroSamples{});
    for (const std::size_t index : coordinates) {
        if (index >= point.size()) {
            throw GradientCheckError(CoordinateOutOfRange{index, point.size()});
        }
    }
    const double at_point = probe(point);
    if (!std::isfinite(at_point)) {
        throw GradientCheckError(NonFiniteProbe{coordinates.front(), at_point});
    }
    GradientCheck check{step, tolerance, {}, true};
    for (const std::size_t index : coordinates) {
        const double numerical = central_difference(point, index, step, at_point, probe);
        check.coordinates.push_back(compare(index, analytic[index], numerical, tolerance));
        check.passed = check.passed && check.coordinates.back().passed;
    }
    return check;
}

std::vector<std::size_t> sample_coordinates(std::size_t size, std::size_t samples,
                                            std::uint32_t seed) {
    if (samples == 0) throw GradientCheckError(ZeroSamples{});
    std::vector<std::size_t> indices(size);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    if (samples >= size) return indices;
    // The first steps of a shuffle. The remainder favours low places by less than size / 2^64,
    // which no reader of a sample could tell.
    std::mt19937 generator(seed);
    for (std::size_t place = 0; place < samples; ++place) {
        const std::uint64_t high = generator();
        const std::uint64_t draw = high << 32 | generator();
        const auto other = place + static_cast<std::size_t>(draw % (size - place));
        std::swap(indices[place], indices[other]);
    }
    indices.resize(samples);
    std::sort(indices.begin(), indices.end());
    return indices;
}

GradientCheckError::GradientCheckError(Case rejection)
    : TypedError(std::move(rejection), [](const auto& e) { return message(e); }) {}

}  // namespace rmsnorm::autodiff
