// The norms and their gradients as real numbers: the definitions, without any program's order of
// operations.
//
// What stands above a root is kept as a whole, because there a sum that is zero is exactly zero.
#pragma once

#include <span>
#include <vector>

#include "nn/elementwise.hpp"
#include "numeric/enclosure.hpp"

namespace rmsnorm::nn {

using numeric::Enclosure;
using Reals = std::vector<Enclosure>;

/// sum(a * b), of one width.
Enclosure inner_product(const Reals& a, const Reals& b);
Enclosure mean(const Reals& values);

/// A normalized vector is `numerators * factor`.
struct RealNorm {
    Enclosure mean;      // of LayerNorm; zero for RMSNorm
    Enclosure variance;  // about the mean: RMSNorm's mean square
    Enclosure inverse;   // 1 / sqrt(variance + epsilon)
    Reals numerators;    // width * (x - mean), or x
    Enclosure factor;

    Reals normalized() const;
};

/// x / sqrt(mean(x^2) + epsilon).
RealNorm real_rms_norm(const Reals& input, const Enclosure& epsilon);

/// (x - mean) / sqrt(mean((x - mean)^2) + epsilon).
RealNorm real_layer_norm(const Reals& input, const Enclosure& epsilon);

/// The gradient of sum(adjoint * normalized) with respect to the input, where `adjoint` is what
/// arrives at the normalized vector.
Reals real_rms_norm_gradient(const Reals& input, const Reals& adjoint, const Enclosure& epsilon);
Reals real_layer_norm_gradient(const Reals& input, const Reals& adjoint, const Enclosure& epsilon);

/// sqrt(mean(values^2)).
Enclosure real_magnitude(const Reals& values);

/// max |a - b|.
Enclosure largest_difference(const Reals& a, const Reals& b);

Reals multiplied(const Reals& values, const Enclosure& factor);

}  // namespace rmsnorm::nn
