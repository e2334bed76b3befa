// The programs of the norms on numbers that carry a bound of their rounding: what the derived
// bounds of certified figures are made of. Each follows its program operation by operation; the
// templates of vector_norm take such numbers as they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "nn/elementwise.hpp"
#include "numeric/rounded.hpp"

namespace rmsnorm::nn {

using numeric::Rounded;
using numeric::Rounded32;
using numeric::Rounded64;

/// One row by the composition of fixture 25: mean(x * x), + epsilon, log, * -0.5, exp, x * r, *
/// gain.
struct RoundedRow {
    Rounded64 mean_square;
    Rounded64 inverse_rms;
    std::vector<Rounded64> normalized;
    std::vector<Rounded64> output;
};

RoundedRow rounded_rms_norm(const std::vector<Rounded64>& row, const std::vector<Rounded64>& gain,
                            double epsilon);

/// The reverse pass of that composition from the adjoint of the normalized row to the row's.
std::vector<Rounded64> rounded_rms_norm_gradient(const std::vector<Rounded64>& row,
                                                 const std::vector<Rounded64>& adjoint,
                                                 double epsilon);

/// The reverse pass of LayerNorm on a tape: mean, deviations, their mean square, + epsilon, log,
/// * -0.5, exp, and the product with the deviations.
std::vector<Rounded64> rounded_layer_norm_gradient(const std::vector<Rounded64>& row,
                                                   const std::vector<Rounded64>& adjoint,
                                                   double epsilon);

/// nn::rms_norm and nn::layer_norm of one vector, which divide by a root.
template <class Format>
std::vector<Rounded<Format>> rounded_divided_norm(const std::vector<Rounded<Format>>& values,
                                                  Format epsilon, bool centered) {
    using Number = Rounded<Format>;
    const Number width(static_cast<double>(values.size()));
    const Number center = centered ? numeric::sum(values) / width : Number(0.0);
    Number squares(0.0);
    for (const Number& value : values) squares = squares + (value - center) * (value - center);
    const Number divisor = sqrt(squares / width + Number(static_cast<double>(epsilon)));
    std::vector<Number> result;
    for (const Number& value : values) result.push_back((value - center) / divisor);
    return result;
}

/// What rounding may do to max |a - b|, of one width.
template <class Format>
double largest_difference_bound(const std::vector<Rounded<Format>>& a,
                                const std::vector<Rounded<Format>>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).error());
    return largest;
}

/// The Euclidean norm of a vector of errors, rounded up.
double error_norm(std::span<const double> errors);

/// How far RMSNorm moves its result when its input moves by at most `moved` from `values`, both in
/// the Euclidean norm. For LayerNorm `values` are the deviations from the mean.
double moved_rms_norm(std::span<const double> values, double epsilon, double moved);

}  // namespace rmsnorm::nn
