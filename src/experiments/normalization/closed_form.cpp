#include "experiments/normalization/closed_form.hpp"

#include <cmath>

#include "autodiff/backward.hpp"
#include "autodiff/operations.hpp"
#include "experiments/normalization/gradients.hpp"
#include "nn/vector_norm.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

using Wide = std::vector<double>;

nn::LayerNormPass<double> forward64(const ClosedFormInputs& c) {
    const Wide input = widened(c.input);
    return nn::layer_norm<double, double>(input, static_cast<double>(c.epsilon));
}

Wide factored_gradient(const ClosedFormInputs& c) {
    const auto forward = forward64(c);
    const Wide upstream = widened(c.upstream);
    return nn::layer_norm_backward<double, double>(upstream, forward.output,
                                                   forward.inverse_standard_deviation);
}

Wide tape_gradient(const ClosedFormInputs& c) {
    using autodiff::Value;
    using tensor::ReducedAxis;
    using tensor::Tensor;
    const auto input = Value::parameter(Tensor::vector(widened(c.input)));
    const auto number = [](double value) { return Value::constant(Tensor::scalar(value)); };
    const Value mean = autodiff::mean(input, 0, ReducedAxis::kept);
    const Value deviation = autodiff::add(input, autodiff::multiply(mean, number(-1)));
    const Value variance =
        autodiff::mean(autodiff::multiply(deviation, deviation), 0, ReducedAxis::kept);
    const Value logarithm =
        autodiff::log(autodiff::add(variance, number(static_cast<double>(c.epsilon))));
    const Value inverse = autodiff::exp(autodiff::multiply(logarithm, number(-0.5)));
    autodiff::backward(autodiff::multiply(deviation, inverse), Tensor::vector(widened(c.upstream)));
    const auto gradient = input.gradient().values();
    return {gradient.begin(), gradient.end()};
}

// What the bound is made of.
struct Sizes {
    Wide terms;  // inverse * (|u| + mean|u| + (|normalized| + 1) * mean|normalized * u|)
    double bound;
};

Sizes sizes(const ClosedFormInputs& c, const nn::LayerNormPass<double>& forward) {
    const auto width = static_cast<double>(c.input.size());
    double upstream = 0;
    double product = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < c.input.size(); ++i) {
        const double u = std::fabs(static_cast<double>(c.upstream[i]));
        upstream += u;
        product += std::fabs(forward.output[i]) * u;
        magnitude += std::fabs(static_cast<double>(c.input[i]));
    }
    upstream /= width;
    product /= width;
    magnitude /= width;
    const double inverse = forward.inverse_standard_deviation;
    const double log_size =
        std::fabs(numeric::log(forward.variance + static_cast<double>(c.epsilon)));
    Sizes sizes;
    for (std::size_t i = 0; i < c.input.size(); ++i) {
        sizes.terms.push_back(inverse * (std::fabs(static_cast<double>(c.upstream[i])) + upstream +
                                         (std::fabs(forward.output[i]) + 1) * product));
    }
    // Mean, deviations and variance have the same bits both ways; the rest is off as follows, in
    // units of 2^-53 of the terms. Every sum over the width rounds as often as it is wide: twice in
    // each term of the closed form and of the tape together, and twice more where the tape sums its
    // product terms, which the closed form takes to cancel: 4 * width. They cancel up to the
    // rounding of the mean, width * mean|x|, relative to the deviation. The tape's reciprocal root
    // has 2 for its exponential and |log| for its logarithm, the closed form's has 2. No path has
    // more than 36 further roundings.
    sizes.bound = (4 + inverse * magnitude) * width + log_size + 40;
    return sizes;
}

TensorFigure wide_figures(const Wide& values) {
    return {tensor::Tensor::vector(values), {6, numeric::Plus::shown}, Precision::binary64};
}

}  // namespace

std::vector<Input> ClosedFormInputs::declared() {
    return {vector_input("input", input, "the vector", {1}),
            vector_input("upstream", upstream, "the adjoint of the normalized vector",
                         {1, numeric::Plus::shown}, values::five_upstream_default),
            epsilon_input(epsilon)};
}

void ClosedFormInputs::complete(const Given& given) {
    complete_width(given, "upstream", upstream, input, 1);
}

ClosedForm closed_form(const ClosedFormInputs& c) { return judged(c, factored_gradient(c)); }

ClosedForm judged(const ClosedFormInputs& c, const Wide& factored) {
    const auto forward = forward64(c);
    const Wide upstream = widened(c.upstream);
    const Wide tape = tape_gradient(c);
    const Sizes size = sizes(c, forward);
    ClosedForm evidence{c,
                        forward.output,
                        forward.inverse_standard_deviation,
                        nn::mean<double, double>(upstream),
                        nn::mean_product<double, double>(forward.output, upstream),
                        factored,
                        tape,
                        largest_ulp(factored, tape),
                        largest_error(factored, tape, size.terms, binary64_unit),
                        size.bound,
                        {}};
    evidence.checks = {
        at_most("tape", "the factored gradient is the tape's, in units of 2^-53 of its terms",
                evidence.largest_error, evidence.error_bound)};
    return evidence;
}

Record results(const ClosedForm& evidence) {
    return Record().add(
        "closed_form",
        Record()
            .add("input", figures(evidence.inputs.input, {1}))
            .add("upstream", figures(evidence.inputs.upstream, {1, numeric::Plus::shown}))
            .add("normalized", wide_figures(evidence.normalized))
            .add("inverse_standard_deviation", Scalar{evidence.inverse_standard_deviation})
            .add("upstream_mean", Scalar{evidence.upstream_mean, {6, numeric::Plus::shown}})
            .add("product_mean", Scalar{evidence.product_mean, {6, numeric::Plus::shown}})
            .add("factored_gradient", wide_figures(evidence.factored))
            .add("tape_gradient", wide_figures(evidence.tape))
            .add("largest_ulp", evidence.largest_ulp)
            .add("largest_error", Scalar{evidence.largest_error})
            .add("error_bound", Scalar{evidence.error_bound}));
}

}  // namespace rmsnorm::experiments::normalization
