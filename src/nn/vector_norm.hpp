// LayerNorm and RMSNorm of one vector, forward and backward, in the number types of the caller.
//
// `Real` is the type of values and results, `Sum` the type in which sums run: float and double
// round each product to binary32 before it enters a binary64 sum; float and float, or double and
// double, keep one format; numeric::CountingNumber counts the operations. Sums start at +0 and run
// in ascending order. A reciprocal root is `1 / sqrt(v)`, where fixture 25 takes exp(-log(v) / 2).
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "nn/normalization.hpp"

namespace rmsnorm::nn {

template <class Real>
struct LayerNormPass {
    Real mean;
    Real variance;
    Real inverse_standard_deviation;  // 1 / sqrt(variance + epsilon)
    std::vector<Real> output;
};

template <class Real>
struct RmsNormPass {
    Real mean_square;
    Real inverse_rms;  // 1 / sqrt(mean_square + epsilon)
    std::vector<Real> output;
};

template <class Sum, class Real>
Real mean(std::span<const Real> values) {
    Sum sum(0);
    for (const Real value : values) sum = sum + static_cast<Sum>(value);
    return static_cast<Real>(sum / static_cast<Sum>(static_cast<double>(values.size())));
}

/// Both spans have one width.
template <class Sum, class Real>
Real mean_product(std::span<const Real> a, std::span<const Real> b) {
    Sum sum(0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Real product = a[i] * b[i];
        sum = sum + static_cast<Sum>(product);
    }
    return static_cast<Real>(sum / static_cast<Sum>(static_cast<double>(a.size())));
}

template <class Sum, class Real>
Real mean_square(std::span<const Real> values) {
    return mean_product<Sum, Real>(values, values);
}

/// About a mean that is already rounded.
template <class Sum, class Real>
Real variance(std::span<const Real> values, Real mean) {
    Sum sum(0);
    for (const Real value : values) {
        const Real deviation = value - mean;
        const Real square = deviation * deviation;
        sum = sum + static_cast<Sum>(square);
    }
    return static_cast<Real>(sum / static_cast<Sum>(static_cast<double>(values.size())));
}

template <class Real>
struct Moments {
    Real mean;
    Real variance;
};

template <class Sum, class Real>
Moments<Real> moments(std::span<const Real> values) {
    const Real center = mean<Sum, Real>(values);
    return {center, variance<Sum, Real>(values, center)};
}

// The rejections of both layers; each throws NormalizationError.
void require_vector(const char* norm, std::size_t width, double epsilon);
void require_width(const char* norm, const char* vector, std::size_t width, std::size_t actual);
void require_variance(const char* norm, double stabilized);
void require_mean_square(const char* norm, double stabilized);
void require_finite(const char* norm, std::size_t feature, double value);

/// `gamma * (x - mean) * inverse_standard_deviation + beta`, from left to right. All vectors have
/// the width of `values`. Throws NormalizationError.
template <class Sum, class Real>
LayerNormPass<Real> layer_norm(std::span<const Real> values, std::span<const Real> gamma,
                               std::span<const Real> beta, Real epsilon) {
    using std::sqrt;
    constexpr const char* norm = "LayerNorm";
    require_vector(norm, values.size(), static_cast<double>(epsilon));
    require_width(norm, "gamma", values.size(), gamma.size());
    require_width(norm, "beta", values.size(), beta.size());
    const auto [center, spread] = moments<Sum, Real>(values);
    const Real stabilized = spread + epsilon;
    require_variance(norm, static_cast<double>(stabilized));
    const Real inverse = Real(1) / sqrt(stabilized);
    LayerNormPass<Real> pass{center, spread, inverse, {}};
    pass.output.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        pass.output.push_back(gamma[i] * (values[i] - center) * inverse + beta[i]);
        require_finite(norm, i, static_cast<double>(pass.output.back()));
    }
    return pass;
}

/// The same with a gamma of ones and a beta of zeros.
template <class Sum, class Real>
LayerNormPass<Real> layer_norm(std::span<const Real> values, Real epsilon) {
    const std::vector<Real> gamma(values.size(), Real(1));
    const std::vector<Real> beta(values.size(), Real(0));
    return layer_norm<Sum, Real>(values, gamma, beta, epsilon);
}

/// `gamma * x * inverse_rms`, from left to right. Throws NormalizationError.
template <class Sum, class Real>
RmsNormPass<Real> rms_norm(std::span<const Real> values, std::span<const Real> gamma,
                           Real epsilon) {
    using std::sqrt;
    constexpr const char* norm = "RMSNorm";
    require_vector(norm, values.size(), static_cast<double>(epsilon));
    require_width(norm, "gamma", values.size(), gamma.size());
    const Real square = mean_square<Sum, Real>(values);
    const Real stabilized = square + epsilon;
    require_mean_square(norm, static_cast<double>(stabilized));
    const Real inverse = Real(1) / sqrt(stabilized);
    RmsNormPass<Real> pass{square, inverse, {}};
    pass.output.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        pass.output.push_back(gamma[i] * values[i] * inverse);
        require_finite(norm, i, static_cast<double>(pass.output.back()));
    }
    return pass;
}

/// The same with a gamma of ones.
template <class Sum, class Real>
RmsNormPass<Real> rms_norm(std::span<const Real> values, Real epsilon) {
    const std::vector<Real> gamma(values.size(), Real(1));
    return rms_norm<Sum, Real>(values, gamma, epsilon);
}

/// The gradient of LayerNorm's input from the adjoint of the normalized vector (before gamma and
/// beta), with m = mean(upstream) and p = mean(normalized * upstream):
/// `inverse_standard_deviation * (upstream - m - normalized * p)`. Neither the input nor its
/// statistics are needed. Throws NormalizationError.
template <class Sum, class Real>
std::vector<Real> layer_norm_backward(std::span<const Real> upstream,
                                      std::span<const Real> normalized,
                                      Real inverse_standard_deviation) {
    require_width("LayerNorm", "upstream", normalized.size(), upstream.size());
    const Real upstream_mean = mean<Sum, Real>(upstream);
    const Real product_mean = mean_product<Sum, Real>(normalized, upstream);
    std::vector<Real> gradient;
    gradient.reserve(upstream.size());
    for (std::size_t i = 0; i < upstream.size(); ++i) {
        gradient.push_back(inverse_standard_deviation *
                           (upstream[i] - upstream_mean - normalized[i] * product_mean));
        require_finite("LayerNorm's gradient", i, static_cast<double>(gradient.back()));
    }
    return gradient;
}

template <class Real>
struct RmsNormGradients {
    std::vector<Real> input;
    std::vector<Real> gamma;
};

/// Both gradients of RMSNorm from the adjoint of its output, with g = gamma * upstream:
/// `inverse_rms * (g - normalized * mean(normalized * g))` for the input and `upstream *
/// normalized` for gamma, where `normalized` is the vector before gamma. Throws
/// NormalizationError.
template <class Sum, class Real>
RmsNormGradients<Real> rms_norm_backward(std::span<const Real> upstream,
                                         std::span<const Real> normalized,
                                         std::span<const Real> gamma, Real inverse_rms) {
    require_width("RMSNorm", "upstream", normalized.size(), upstream.size());
    require_width("RMSNorm", "gamma", normalized.size(), gamma.size());
    std::vector<Real> weighted;
    weighted.reserve(upstream.size());
    for (std::size_t i = 0; i < upstream.size(); ++i) weighted.push_back(gamma[i] * upstream[i]);
    const Real product_mean = mean_product<Sum, Real>(normalized, weighted);
    RmsNormGradients<Real> gradients;
    for (std::size_t i = 0; i < upstream.size(); ++i) {
        gradients.input.push_back(inverse_rms * (weighted[i] - normalized[i] * product_mean));
        gradients.gamma.push_back(upstream[i] * normalized[i]);
        require_finite("RMSNorm's gradient", i, static_cast<double>(gradients.input.back()));
        require_finite("RMSNorm's gradient", i, static_cast<double>(gradients.gamma.back()));
    }
    return gradients;
}

}  // namespace rmsnorm::nn
