#include "experiments/normalization/rms_norm_backward.hpp"

#include <algorithm>
#include <cmath>

#include "autodiff/backward.hpp"
#include "experiments/normalization/gradients.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "nn/rms_norm.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

using Wide = std::vector<double>;

struct Gradients64 {
    Wide input;
    Wide gamma;
};

// The tape and the formula in binary64, and the sizes of the terms behind each component.
struct Reference {
    Gradients64 tape;
    Gradients64 closed_form;
    Gradients64 magnitudes;
    double log_size;  // |log(mean_square + epsilon)|
};

Gradients64 tape_gradients(const RmsNormBackwardCase& c) {
    nn::RmsNorm norm(nn::NamedParameter("gamma", tensor::Tensor::vector(widened(c.gamma))),
                     static_cast<double>(c.epsilon));
    const auto input = autodiff::Value::parameter(tensor::Tensor::vector(widened(c.input)));
    autodiff::backward(norm.forward(input), tensor::Tensor::vector(widened(c.upstream)));
    const auto by_input = input.gradient().values();
    const auto by_gamma = norm.gain().value().gradient().values();
    return {{by_input.begin(), by_input.end()}, {by_gamma.begin(), by_gamma.end()}};
}

Reference reference(const RmsNormBackwardCase& c) {
    const Wide input = widened(c.input);
    const Wide gamma = widened(c.gamma);
    const Wide upstream = widened(c.upstream);
    const Wide plain(input.size(), 1.0);
    const auto epsilon = static_cast<double>(c.epsilon);
    const auto forward = nn::rms_norm<double, double>(input, plain, epsilon);
    const double inverse = forward.inverse_rms;
    auto closed_form =
        nn::rms_norm_backward<double, double>(upstream, forward.output, gamma, inverse);
    Gradients64 magnitudes;
    double product = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
        product += std::fabs(forward.output[i] * gamma[i] * upstream[i]);
    }
    product /= static_cast<double>(input.size());
    for (std::size_t i = 0; i < input.size(); ++i) {
        magnitudes.input.push_back(
            inverse * (std::fabs(gamma[i] * upstream[i]) + std::fabs(forward.output[i]) * product));
        magnitudes.gamma.push_back(std::fabs(upstream[i] * forward.output[i]));
    }
    return {tape_gradients(c),
            {std::move(closed_form.input), std::move(closed_form.gamma)},
            std::move(magnitudes),
            std::fabs(numeric::log(forward.mean_square + epsilon))};
}

std::vector<Check> gradient_checks(const std::string& name, const RmsNormGradient& gradient,
                                   const Wide& magnitude, double tape_bound) {
    const auto mismatches = std::count(gradient.matches.begin(), gradient.matches.end(), false);
    // In units of the terms: half of the 3 in the stabilized mean square, a root and a quotient
    // make 3.5 in the inverse, which enters a term up to three times and a normalized value twice
    // with a product each; five more roundings follow. 20 covers the sum. Terms may be subnormal.
    constexpr double binary32_bound = 20;
    return {at_most(name + "-central-differences",
                    "every component is within the tolerance of its central difference",
                    static_cast<double>(mismatches), 0),
            at_most(name + "-tape",
                    "the closed form in binary64 is the tape's gradient, in units of 2^-53 of its "
                    "terms",
                    largest_error(gradient.closed_form64, gradient.tape, magnitude, binary64_unit),
                    tape_bound),
            at_most(name + "-binary32",
                    "the closed form in binary32 is the tape's gradient, in units of 2^-24 of its "
                    "terms",
                    largest_error(widened(gradient.closed_form), gradient.tape, magnitude,
                                  binary32_unit),
                    binary32_bound)};
}

RmsNormGradient gradient(const Vector& closed_form, Vector numerical, float tolerance,
                         const Wide& closed_form64, const Wide& tape) {
    std::vector<bool> matches = matching(closed_form, numerical, tolerance);
    return {closed_form,
            std::move(numerical),
            std::move(matches),
            closed_form64,
            tape,
            largest_ulp(closed_form64, tape)};
}

Record record(const RmsNormGradient& g, Decimals decimals) {
    return Record()
        .add("closed_form", figures(g.closed_form, decimals))
        .add("numerical", figures(g.numerical, decimals))
        .add("matches", array(g.matches))
        .add("tape", Figures{tensor::Tensor::vector(g.tape), decimals})
        .add("closed_form_binary64", Figures{tensor::Tensor::vector(g.closed_form64), decimals})
        .add("largest_ulp", g.largest_ulp);
}

}  // namespace

RmsNormBackwardCase book_rms_norm_backward_case() {
    return {values::five(),  values::five_gamma(), values::five_upstream(),
            values::epsilon, values::probe_step,   values::match_tolerance};
}

RmsNormBackward rms_norm_backward(const RmsNormBackwardCase& c) {
    const auto forward = plain_rms_norm(c.input, c.epsilon);
    return rms_norm_backward(c, nn::rms_norm_backward<double, float>(c.upstream, forward.output,
                                                                     c.gamma, forward.inverse_rms));
}

RmsNormBackward rms_norm_backward(const RmsNormBackwardCase& c,
                                  const nn::RmsNormGradients<float>& gradients) {
    const auto forward = plain_rms_norm(c.input, c.epsilon);
    const Reference wide = reference(c);
    Vector by_input = central_differences(c.input, c.upstream, c.step, [&](const Vector& moved) {
        return nn::rms_norm<double, float>(moved, c.gamma, c.epsilon).output;
    });
    Vector by_gamma = central_differences(c.gamma, c.upstream, c.step, [&](const Vector& moved) {
        return nn::rms_norm<double, float>(c.input, moved, c.epsilon).output;
    });
    RmsNormBackward evidence{c,
                             forward.output,
                             forward.inverse_rms,
                             gradient(gradients.input, std::move(by_input), c.tolerance,
                                      wide.closed_form.input, wide.tape.input),
                             gradient(gradients.gamma, std::move(by_gamma), c.tolerance,
                                      wide.closed_form.gamma, wide.tape.gamma),
                             {}};
    // In units of the terms. The tape's reciprocal root is off by 2 for the exponential and by
    // |log| for the logarithm's own rounding. The first term is rounded 12 times in all by the two
    // ways, the second 2 * width + 23 times, both of them the sums over the width. A gradient of
    // gamma has two products a way and both reciprocal roots.
    const double width = static_cast<double>(c.input.size());
    evidence.checks = gradient_checks("input-gradient", evidence.input_gradient,
                                      wide.magnitudes.input, 2 * width + wide.log_size + 24);
    for (Check& check : gradient_checks("gamma-gradient", evidence.gamma_gradient,
                                        wide.magnitudes.gamma, wide.log_size + 9)) {
        evidence.checks.push_back(std::move(check));
    }
    return evidence;
}

Record inputs(const RmsNormBackward& evidence) {
    const RmsNormBackwardCase& used = evidence.inputs;
    return Record()
        .add("input", figures(used.input, {1}))
        .add("gamma", figures(used.gamma, {4}))
        .add("upstream", figures(used.upstream, {1, numeric::Plus::shown}))
        .add("epsilon", figure(used.epsilon, {6}))
        .add("step", figure(used.step, {6}))
        .add("tolerance", figure(used.tolerance, {6}));
}

Record results(const RmsNormBackward& evidence) {
    return Record().add("rms_norm_backward", rms_norm_backward_record(evidence));
}

Record rms_norm_backward_record(const RmsNormBackward& evidence) {
    constexpr Decimals four{4, numeric::Plus::shown};
    return Record()
        .add("input", figures(evidence.inputs.input, {1}))
        .add("gamma", figures(evidence.inputs.gamma, {4}))
        .add("upstream", figures(evidence.inputs.upstream, {1, numeric::Plus::shown}))
        .add("normalized", figures(evidence.normalized, four))
        .add("inverse_rms", figure(evidence.inverse_rms, {4}))
        .add("input_gradient", record(evidence.input_gradient, four))
        .add("gamma_gradient", record(evidence.gamma_gradient, four));
}

}  // namespace rmsnorm::experiments::normalization
