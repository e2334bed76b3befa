#include "experiments/normalization/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rmsnorm::experiments::normalization {
namespace {

using Wide = std::vector<double>;

constexpr double unit = rounding_unit;
constexpr double lost = underflow_loss;

double mean(const Wide& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double mean_magnitude(const Wide& values) {
    double sum = 0;
    for (const double value : values) sum += std::fabs(value);
    return sum / static_cast<double>(values.size());
}

// Of a mean of binary32 values: both binary64 sums, and the rounding of the result.
double mean_error(const Wide& values, double mean) {
    return unit * std::fabs(mean) + lost +
           2 * static_cast<double>(values.size() + 2) * binary64_unit * mean_magnitude(values);
}

// `shift` bounds how far the mean that the pass subtracts is from that of `values`, which are less
// their own mean; it is zero where nothing is subtracted.
NormBounds norm_bounds(Wide values, double epsilon, double shift) {
    double square = 0;
    for (const double value : values) square += value * value;
    square /= static_cast<double>(values.size());
    // A deviation counts twice, its square and the mean of the squares once. What is subtracted
    // instead of the mean can only raise the mean square, by the square of the distance. A pass
    // that is not refused divides by something: at least by the least binary32 number.
    const double least =
        std::max((square * (1 - 4 * unit) - 2 * lost + epsilon) * (1 - unit), 0x1p-149);
    const double most =
        ((square + shift * shift) * (1 + 4 * unit) + 2 * lost + epsilon) * (1 + unit);
    const double inverse = 1 / std::sqrt(square + epsilon);
    const double inverse_most = (1 + 2 * unit) / std::sqrt(least);
    const double inverse_error =
        std::max(inverse_most - inverse, inverse - (1 - 2 * unit) / std::sqrt(most));
    NormBounds bounds{std::move(values), square, inverse, inverse_error, {}, {}};
    for (const double value : bounds.input) {
        const double magnitude = std::fabs(value);
        const double moved = shift == 0 ? 0 : shift + unit * (magnitude + shift);
        bounds.normalized.push_back(value * inverse);
        bounds.error.push_back((moved + unit * (magnitude + moved)) * inverse_most +
                               magnitude * inverse_error + lost);
    }
    return bounds;
}

// A product of binary32 numbers that are off by `a_error` and `b_error`, rounded.
double product_error(double a, double a_error, double b, double b_error) {
    a = std::fabs(a);
    b = std::fabs(b);
    return a * b_error + b * a_error + a_error * b_error + unit * (a + a_error) * (b + b_error) +
           lost;
}

// A difference likewise; it loses nothing below the normal numbers.
double difference_error(double difference, double error) {
    return error + unit * (std::fabs(difference) + error);
}

// Of `inverse * (weights - center - normalized * mean(normalized * weights))`.
Wide gradient_error(const NormBounds& bounds, const Wide& weights, const Wide& weight_error,
                    double center, double center_error) {
    const std::size_t width = weights.size();
    Wide products;
    double product_mean_error = 0;
    for (std::size_t i = 0; i < width; ++i) {
        products.push_back(bounds.normalized[i] * weights[i]);
        product_mean_error +=
            product_error(bounds.normalized[i], bounds.error[i], weights[i], weight_error[i]);
    }
    product_mean_error /= static_cast<double>(width);
    const double product_mean = mean(products);
    product_mean_error += unit * product_mean_error + mean_error(products, product_mean);
    Wide errors;
    for (std::size_t i = 0; i < width; ++i) {
        const double centered = weights[i] - center;
        const double centered_error =
            center_error == 0 ? weight_error[i]
                              : difference_error(centered, weight_error[i] + center_error);
        const double correction = bounds.normalized[i] * product_mean;
        const double correction_error =
            product_error(bounds.normalized[i], bounds.error[i], product_mean, product_mean_error);
        const double difference = centered - correction;
        errors.push_back(
            product_error(bounds.inverse, bounds.inverse_error, difference,
                          difference_error(difference, centered_error + correction_error)));
    }
    return errors;
}

}  // namespace

NormBounds layer_norm_bounds(const Vector& input, float epsilon) {
    Wide values = widened(input);
    const double center = mean(values);
    const double shift = mean_error(values, center);
    for (double& value : values) value -= center;
    return norm_bounds(std::move(values), static_cast<double>(epsilon), shift);
}

NormBounds rms_norm_bounds(const Vector& input, float epsilon) {
    return norm_bounds(widened(input), static_cast<double>(epsilon), 0);
}

double normalized_rms(const NormBounds& bounds) {
    return std::sqrt(bounds.square) * bounds.inverse;
}

double rms_error(const NormBounds& bounds) {
    double squares = 0;
    for (const double error : bounds.error) squares += error * error;
    return std::sqrt(squares / static_cast<double>(bounds.error.size()));
}

Wide scaled_error(const NormBounds& bounds, const Vector& gamma) {
    // The product with gamma comes first, and is then multiplied by what the input would have been.
    const double inverse_most = bounds.inverse + bounds.inverse_error;
    Wide errors;
    for (std::size_t i = 0; i < gamma.size(); ++i) {
        const double scale = std::fabs(static_cast<double>(gamma[i]));
        errors.push_back(scale * bounds.error[i] +
                         unit * scale * std::fabs(bounds.input[i]) * inverse_most +
                         lost * (inverse_most + 1));
    }
    return errors;
}

Wide layer_norm_gradient_error(const NormBounds& bounds, const Vector& upstream) {
    const Wide weights = widened(upstream);
    const double center = mean(weights);
    return gradient_error(bounds, weights, Wide(weights.size(), 0.0), center,
                          mean_error(weights, center));
}

RmsNormGradientErrors rms_norm_gradient_errors(const NormBounds& bounds, const Vector& gamma,
                                               const Vector& upstream) {
    Wide weights;
    Wide weight_error;
    Wide by_gamma;
    for (std::size_t i = 0; i < gamma.size(); ++i) {
        const auto scale = static_cast<double>(gamma[i]);
        const auto adjoint = static_cast<double>(upstream[i]);
        weights.push_back(scale * adjoint);
        weight_error.push_back(product_error(scale, 0, adjoint, 0));
        by_gamma.push_back(product_error(adjoint, 0, bounds.normalized[i], bounds.error[i]));
    }
    return {gradient_error(bounds, weights, weight_error, 0, 0), std::move(by_gamma)};
}

}  // namespace rmsnorm::experiments::normalization
