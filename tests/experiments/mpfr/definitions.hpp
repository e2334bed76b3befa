// The figures of the fixtures by their definitions, at 500 bits: a witness that shares no code with
// the program.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "support/mpfr_real.hpp"

using Reals = std::vector<Real>;

/// By path: "primary/output". A scalar is one value.
using TensorFigure = std::map<std::string, Reals>;

TensorFigure figures_of_chapter();
TensorFigure figures_of_book();

/// The seeded input is one of normal numbers, which the exhibit draws.
TensorFigure figures_of_exhibit(std::span<const double> seeded_input);

Real real(std::size_t count);
Real root(const Real& square);
Reals reals(std::span<const double> values);
Reals reals(std::span<const float> values);

Real sum(const Reals& values);
Real mean(const Reals& values);
Real dot(const Reals& a, const Reals& b);
Real largest(const Reals& values);  // magnitude
Reals product(const Reals& a, const Reals& b);
Reals difference(const Reals& a, const Reals& b);
Reals multiplied(const Reals& values, const Real& factor);

/// sqrt(mean(x^2)).
Real magnitude(const Reals& values);

struct Norm {
    Real mean;      // that is taken away
    Real variance;  // about it
    Real inverse;   // 1 / sqrt(variance + epsilon)
    Reals normalized;
};
Norm rms_norm(const Reals& input, const Real& epsilon);
Norm layer_norm(const Reals& input, const Real& epsilon);

/// The adjoint of the normalized vector times the Jacobian, entry by entry:
/// r delta_ij - x_i x_j r^3 / n, and for LayerNorm r (delta_ij - 1/n) - d_i d_j r^3 / n.
Reals rms_norm_gradient(const Reals& input, const Reals& adjoint, const Real& epsilon);
Reals layer_norm_gradient(const Reals& input, const Reals& adjoint, const Real& epsilon);
