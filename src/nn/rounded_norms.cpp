#include "nn/rounded_norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rmsnorm::nn {
namespace {

using Row = std::vector<Rounded64>;

Rounded64 width_of(const Row& row) { return Rounded64(static_cast<double>(row.size())); }

Rounded64 mean_of_squares(const Row& row) {
    return numeric::sum(products(row, row)) / width_of(row);
}

// The adjoint of each square from that of the reciprocal root 1 / sqrt(mean + epsilon).
Rounded64 square_adjoint(const Rounded64& adjoint, const Rounded64& inverse,
                         const Rounded64& stabilized, const Row& row) {
    return adjoint * inverse * Rounded64(-0.5) / stabilized / width_of(row);
}

}  // namespace

RoundedRow rounded_rms_norm(const Row& row, const Row& gain, double epsilon) {
    const Rounded64 mean_square = mean_of_squares(row);
    const Rounded64 inverse = numeric::inverse_root_by_logarithm(mean_square + Rounded64(epsilon));
    RoundedRow pass{mean_square, inverse, {}, {}};
    for (std::size_t i = 0; i < row.size(); ++i) {
        pass.normalized.push_back(row[i] * inverse);
        pass.output.push_back(pass.normalized.back() * gain[i]);
    }
    return pass;
}

Row rounded_rms_norm_gradient(const Row& row, const Row& adjoint, double epsilon) {
    const Rounded64 stabilized = mean_of_squares(row) + Rounded64(epsilon);
    const Rounded64 inverse = numeric::inverse_root_by_logarithm(stabilized);
    const Rounded64 square =
        square_adjoint(numeric::sum(products(adjoint, row)), inverse, stabilized, row);
    Row gradient;
    for (std::size_t i = 0; i < row.size(); ++i) {
        gradient.push_back(adjoint[i] * inverse + square * row[i] + square * row[i]);
    }
    return gradient;
}

Row rounded_layer_norm_gradient(const Row& row, const Row& adjoint, double epsilon) {
    const Rounded64 mean = numeric::sum(row) / width_of(row);
    Row deviations;
    for (const Rounded64& value : row) deviations.push_back(value - mean);
    const Rounded64 stabilized = mean_of_squares(deviations) + Rounded64(epsilon);
    const Rounded64 inverse = numeric::inverse_root_by_logarithm(stabilized);
    const Rounded64 square =
        square_adjoint(numeric::sum(products(adjoint, deviations)), inverse, stabilized, row);
    Row gradient;
    for (std::size_t i = 0; i < row.size(); ++i) {
        gradient.push_back(adjoint[i] * inverse + square * deviations[i] + square * deviations[i]);
    }
    const Rounded64 by_mean = numeric::sum(gradient) / width_of(row);
    for (Rounded64& value : gradient) value = value - by_mean;
    return gradient;
}

double error_norm(std::span<const double> errors) {
    double squares = 0;
    for (const double error : errors) squares += error * error;
    // A square that is lost is less than 2^-1074.
    return std::sqrt(squares) * (1 + 0x1p-30) + 0x1p-500;
}

// The derivative is (I - y y' / width) / rms, of norm 1 / rms at most, and on the way from one
// input to the other the rms is least where the norm is.
double moved_rms_norm(std::span<const double> values, double epsilon, double moved) {
    double squares = 0;
    for (const double value : values) squares += value * value;
    const double norm = std::max(0.0, std::sqrt(squares) * (1 - 0x1p-30) - moved);
    const double stabilized = norm * norm / static_cast<double>(values.size()) + epsilon;
    if (!(stabilized > 0)) return std::numeric_limits<double>::infinity();
    return moved / std::sqrt(stabilized) * (1 + 0x1p-30);
}

}  // namespace rmsnorm::nn
