#include "nn/real_norms.hpp"

namespace rmsnorm::nn {
namespace {

Enclosure width_of(const Reals& values) { return Enclosure(static_cast<double>(values.size())); }

Enclosure sum_of_squares(const Reals& values) { return inner_product(values, values); }

// width * (x - mean): exact for exact numbers, whatever the width.
Reals deviations(const Reals& input) {
    const Enclosure total = numeric::sum(input);
    Reals result;
    for (const Enclosure& value : input) result.push_back(width_of(input) * value - total);
    return result;
}

}  // namespace

Enclosure inner_product(const Reals& a, const Reals& b) {
    Enclosure total(0);
    for (std::size_t i = 0; i < a.size(); ++i) total = total + a[i] * b[i];
    return total;
}

Enclosure mean(const Reals& values) { return numeric::sum(values) / width_of(values); }

Reals RealNorm::normalized() const { return multiplied(numerators, factor); }

RealNorm real_rms_norm(const Reals& input, const Enclosure& epsilon) {
    const Enclosure mean_square = sum_of_squares(input) / width_of(input);
    const Enclosure inverse = Enclosure(1) / sqrt(mean_square + epsilon);
    return {Enclosure(0), mean_square, inverse, input, inverse};
}

RealNorm real_layer_norm(const Reals& input, const Enclosure& epsilon) {
    const Enclosure width = width_of(input);
    Reals numerators = deviations(input);
    const Enclosure variance = sum_of_squares(numerators) / (width * width * width);
    const Enclosure inverse = Enclosure(1) / sqrt(variance + epsilon);
    const Enclosure factor = inverse / width;
    return {mean(input), variance, inverse, std::move(numerators), factor};
}

// With s = sum(x^2) + n epsilon: inverse * (a_i s - x_i sum(a x)) / s.
Reals real_rms_norm_gradient(const Reals& input, const Reals& adjoint, const Enclosure& epsilon) {
    const Enclosure width = width_of(input);
    const Enclosure stabilized = sum_of_squares(input) + width * epsilon;
    const Enclosure projection = inner_product(input, adjoint);
    const Enclosure factor = Enclosure(1) / (sqrt(stabilized / width) * stabilized);
    Reals gradient;
    for (std::size_t i = 0; i < input.size(); ++i) {
        gradient.push_back((adjoint[i] * stabilized - input[i] * projection) * factor);
    }
    return gradient;
}

// The same of the deviations d = n (x - mean), with s = sum(d^2) + n^3 epsilon and the adjoint less
// its mean: inverse / (n s) * (n (a_i - mean(a)) s - n d_i sum(a d)).
Reals real_layer_norm_gradient(const Reals& input, const Reals& adjoint, const Enclosure& epsilon) {
    const Enclosure width = width_of(input);
    const Reals numerators = deviations(input);
    const Reals centered = deviations(adjoint);
    const Enclosure cube = width * width * width;
    const Enclosure stabilized = sum_of_squares(numerators) + cube * epsilon;
    const Enclosure projection = width * inner_product(numerators, adjoint);
    const Enclosure factor = Enclosure(1) / (sqrt(stabilized / cube) * stabilized * width);
    Reals gradient;
    for (std::size_t i = 0; i < input.size(); ++i) {
        gradient.push_back((centered[i] * stabilized - numerators[i] * projection) * factor);
    }
    return gradient;
}

Enclosure real_magnitude(const Reals& values) {
    return sqrt(sum_of_squares(values) / width_of(values));
}

Enclosure largest_difference(const Reals& a, const Reals& b) {
    Enclosure largest(0);
    for (std::size_t i = 0; i < a.size(); ++i) largest = max(largest, abs(a[i] - b[i]));
    return largest;
}

Reals multiplied(const Reals& values, const Enclosure& factor) {
    Reals result;
    for (const Enclosure& value : values) result.push_back(value * factor);
    return result;
}

}  // namespace rmsnorm::nn
