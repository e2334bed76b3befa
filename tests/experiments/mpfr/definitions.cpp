#include "experiments/mpfr/definitions.hpp"

Real real(std::size_t count) { return Real(static_cast<double>(count)); }
Real root(const Real& square) { return apply(mpfr_sqrt, square); }

Reals reals(std::span<const double> values) { return {values.begin(), values.end()}; }
Reals reals(std::span<const float> values) {
    Reals wide;
    for (const float value : values) wide.emplace_back(static_cast<double>(value));
    return wide;
}

Real sum(const Reals& values) {
    Real total;
    for (const Real& value : values) total = total + value;
    return total;
}

Real mean(const Reals& values) { return sum(values) / real(values.size()); }
Real dot(const Reals& a, const Reals& b) { return sum(product(a, b)); }

Real largest(const Reals& values) {
    Real most;
    for (const Real& value : values) most = apply(mpfr_max, most, apply(mpfr_abs, value));
    return most;
}

Reals product(const Reals& a, const Reals& b) {
    Reals result;
    for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] * b[i]);
    return result;
}

Reals difference(const Reals& a, const Reals& b) {
    Reals result;
    for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] - b[i]);
    return result;
}

Reals multiplied(const Reals& values, const Real& factor) {
    Reals result;
    for (const Real& value : values) result.push_back(value * factor);
    return result;
}

Real magnitude(const Reals& values) { return root(mean(product(values, values))); }

namespace {

Norm normalized(const Reals& deviations, const Real& center, const Real& epsilon) {
    const Real variance = mean(product(deviations, deviations));
    const Real inverse = Real(1) / root(variance + epsilon);
    return {center, variance, inverse, multiplied(deviations, inverse)};
}

Reals deviations(const Reals& values) {
    const Real center = mean(values);
    Reals result;
    for (const Real& value : values) result.push_back(value - center);
    return result;
}

// sum_j adjoint_j (r (delta_ij - shared) - d_i d_j r^3 / n)
Reals gradient(const Reals& d, const Real& r, const Reals& adjoint, const Real& shared) {
    const Real cube = r * r * r / real(d.size());
    Reals result;
    for (std::size_t i = 0; i < d.size(); ++i) {
        Real total;
        for (std::size_t j = 0; j < d.size(); ++j) {
            const Real kept = Real(i == j ? 1 : 0) - shared;
            total = total + adjoint[j] * (r * kept - d[i] * d[j] * cube);
        }
        result.push_back(total);
    }
    return result;
}

}  // namespace

Norm rms_norm(const Reals& input, const Real& epsilon) {
    return normalized(input, Real(0), epsilon);
}
Norm layer_norm(const Reals& input, const Real& epsilon) {
    return normalized(deviations(input), mean(input), epsilon);
}

Reals rms_norm_gradient(const Reals& input, const Reals& adjoint, const Real& epsilon) {
    return gradient(input, rms_norm(input, epsilon).inverse, adjoint, Real(0));
}
Reals layer_norm_gradient(const Reals& input, const Reals& adjoint, const Real& epsilon) {
    return gradient(deviations(input), layer_norm(input, epsilon).inverse, adjoint,
                    Real(1) / real(input.size()));
}
