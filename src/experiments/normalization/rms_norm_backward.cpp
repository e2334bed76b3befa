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

Gradients64 tape_gradients(const RmsNormBackwardInputs& c) {
    nn::RmsNorm norm(nn::NamedParameter("gamma", tensor::Tensor::vector(widened(c.gamma))),
                     static_cast<double>(c.epsilon));
    const auto input = autodiff::Value::parameter(tensor::Tensor::vector(widened(c.input)));
    autodiff::backward(norm.forward(input), tensor::Tensor::vector(widened(c.upstream)));
    const auto by_input = input.gradient().values();
    const auto by_gamma = norm.gain().value().gradient().values();
    return {{by_input.begin(), by_input.end()}, {by_gamma.begin(), by_gamma.end()}};
}

Gradients64 closed_form_gradients(const RmsNormBackwardInputs& c) {
    const Wide input = widened(c.input);
    const auto forward = nn::rms_norm<double, double>(input, static_cast<double>(c.epsilon));
    auto gradients = nn::rms_norm_backward<double, double>(widened(c.upstream), forward.output,
                                                           widened(c.gamma), forward.inverse_rms);
    return {std::move(gradients.input), std::move(gradients.gamma)};
}

ProbedPoint probed(const RmsNormBackwardInputs& c, const Vector& input, const Vector& gamma) {
    const NormBounds bounds = rms_norm_bounds(input, c.epsilon);
    ProbedPoint point{nn::rms_norm<double, float>(input, gamma, c.epsilon).output,
                      {},
                      scaled_error(bounds, gamma)};
    for (std::size_t i = 0; i < gamma.size(); ++i) {
        point.exact.push_back(static_cast<double>(gamma[i]) * bounds.normalized[i]);
    }
    return point;
}

FittedDifferences differences(const RmsNormBackwardInputs& c) {
    // Refuses what has no gradient.
    plain_rms_norm(c.input, c.epsilon);
    Wide weights;
    for (std::size_t i = 0; i < c.gamma.size(); ++i) {
        weights.push_back(static_cast<double>(c.gamma[i]) * static_cast<double>(c.upstream[i]));
    }
    const std::vector<Differences> exact{
        rms_norm_differences(c.input, weights, c.epsilon),
        gain_differences(rms_norm_bounds(c.input, c.epsilon), c.upstream)};
    return fitted_differences(c.choice, exact, [&](float step) -> std::vector<Differences> {
        return {stepped_differences(c.input, c.upstream, step, exact[0],
                                    [&](const Vector& moved) { return probed(c, moved, c.gamma); }),
                stepped_differences(c.gamma, c.upstream, step, exact[1], [&](const Vector& moved) {
                    return probed(c, c.input, moved);
                })};
    });
}

Record record(const RmsNormGradient& g, Decimals decimals) {
    return Record()
        .add("closed_form", figures(g.closed_form, decimals))
        .add("numerical", figures(g.numerical, decimals))
        .add("matches", array(g.matches))
        .add("largest_disagreement", record(g.largest_disagreement))
        .add("tape", TensorFigure{tensor::Tensor::vector(g.tape), decimals})
        .add("closed_form_binary64",
             TensorFigure{tensor::Tensor::vector(g.closed_form64), decimals})
        .add("largest_ulp", g.largest_ulp);
}

}  // namespace

std::vector<Input> RmsNormBackwardInputs::declared() {
    std::vector<Input> inputs{
        vector_input("input", input, "the vector", {1}),
        vector_input("gamma", gamma, "the scale", {4}, values::five_gamma_default),
        vector_input("upstream", upstream, "the adjoint of the output", {1, numeric::Plus::shown},
                     values::five_upstream_default),
        epsilon_input(epsilon)};
    choice.declare(inputs);
    return inputs;
}

void RmsNormBackwardInputs::complete(const Given& given) {
    complete_width(given, "gamma", gamma, input, 1);
    complete_width(given, "upstream", upstream, input, 1);
    choice.complete();
    choice = differences(*this).used;
}

RmsNormBackward rms_norm_backward(const RmsNormBackwardInputs& c) {
    const auto forward = plain_rms_norm(c.input, c.epsilon);
    return judged(c, nn::rms_norm_backward<double, float>(c.upstream, forward.output, c.gamma,
                                                          forward.inverse_rms));
}

RmsNormBackward judged(const RmsNormBackwardInputs& c,
                       const nn::RmsNormGradients<float>& gradients) {
    const auto forward = plain_rms_norm(c.input, c.epsilon);
    const Gradients64 by_formula = closed_form_gradients(c);
    const Gradients64 by_reverse_pass = tape_gradients(c);
    const RmsNormTapeBounds by_tape = tape_bounds(c);
    const FittedDifferences fitted = differences(c);
    JudgedGradient by_input = judge("input-gradient-central-differences", gradients.input,
                                    by_tape.input.error, fitted, 0);
    JudgedGradient by_gamma = judge("gamma-gradient-central-differences", gradients.gamma,
                                    by_tape.gamma.error, fitted, 1);
    const auto gradient = [](const Vector& closed_form, JudgedGradient& by_differences,
                             const Wide& closed_form64, const Wide& tape) {
        return RmsNormGradient{closed_form,
                               std::move(by_differences.numerical),
                               std::move(by_differences.numerical_error),
                               std::move(by_differences.matches),
                               by_differences.largest,
                               closed_form64,
                               tape,
                               largest_ulp(closed_form64, tape)};
    };
    RmsNormBackward evidence{
        c,
        forward.output,
        forward.inverse_rms,
        gradient(gradients.input, by_input, by_formula.input, by_reverse_pass.input),
        gradient(gradients.gamma, by_gamma, by_formula.gamma, by_reverse_pass.gamma),
        {}};
    const auto add = [&](JudgedGradient& by_differences, std::vector<Check> others) {
        evidence.checks.push_back(std::move(by_differences.check));
        for (Check& check : others) evidence.checks.push_back(std::move(check));
    };
    add(by_input, tape_checks("input-gradient", evidence.input_gradient, by_tape.input));
    add(by_gamma, tape_checks("gamma-gradient", evidence.gamma_gradient, by_tape.gamma));
    return evidence;
}

RmsNormTapeBounds tape_bounds(const RmsNormBackwardInputs& c) {
    const NormBounds bounds = rms_norm_bounds(c.input, c.epsilon);
    RmsNormGradientErrors errors = rms_norm_gradient_errors(bounds, c.gamma, c.upstream);
    const auto width = static_cast<double>(c.input.size());
    const Wide gamma = widened(c.gamma);
    const Wide upstream = widened(c.upstream);
    double product = 0;
    for (std::size_t i = 0; i < gamma.size(); ++i) {
        product += std::fabs(bounds.normalized[i] * gamma[i] * upstream[i]) / width;
    }
    // In units of the terms. The tape's reciprocal root is off by 2 for the exponential and by
    // |log| for the logarithm's own rounding. The first term is rounded 12 times in all by the two
    // ways, the second 2 * width + 23 times, both of them the sums over the width. A gradient of
    // gamma has two products a way and both reciprocal roots.
    const double log_size = std::fabs(numeric::log(bounds.square + static_cast<double>(c.epsilon)));
    RmsNormTapeBounds result{{{}, std::move(errors.input), 2 * width + log_size + 24},
                             {{}, std::move(errors.gamma), log_size + 9}};
    for (std::size_t i = 0; i < gamma.size(); ++i) {
        const double normalized = std::fabs(bounds.normalized[i]);
        result.input.terms.push_back(bounds.inverse *
                                     (std::fabs(gamma[i] * upstream[i]) + normalized * product));
        result.gamma.terms.push_back(std::fabs(upstream[i]) * normalized);
    }
    return result;
}

std::vector<Check> tape_checks(const std::string& name, const RmsNormGradient& gradient,
                               const TapeBounds& bounds) {
    Worst binary32;
    for (std::size_t i = 0; i < bounds.terms.size(); ++i) {
        binary32.consider(
            std::fabs(static_cast<double>(gradient.closed_form[i]) - gradient.tape[i]),
            bounds.error[i] + bounds.units * binary64_unit * bounds.terms[i]);
    }
    return {
        at_most(name + "-tape",
                "the closed form in binary64 is the tape's gradient, in units of 2^-53 of its "
                "terms",
                largest_error(gradient.closed_form64, gradient.tape, bounds.terms, binary64_unit),
                bounds.units),
        binary32.check(name + "-binary32",
                       "the closed form in binary32 is the tape's gradient to rounding")};
}

Record results(const RmsNormBackward& evidence) {
    constexpr Decimals four{4, numeric::Plus::shown};
    return Record().add(
        "rms_norm_backward",
        Record()
            .add("input", figures(evidence.inputs.input, {1}))
            .add("gamma", figures(evidence.inputs.gamma, {4}))
            .add("upstream", figures(evidence.inputs.upstream, {1, numeric::Plus::shown}))
            .add("normalized", figures(evidence.normalized, four))
            .add("inverse_rms", figure(evidence.inverse_rms, {4}))
            .add("input_gradient", record(evidence.input_gradient, four))
            .add("gamma_gradient", record(evidence.gamma_gradient, four)));
}

std::string text(const RmsNormBackward& evidence, Extent extent) {
    const Record results_of_run = results(evidence);
    const Record& record = record_field(results_of_run, "rms_norm_backward");
    std::string lines = field_lines("rms_norm_backward", record, extent);
    for (const std::string name : {"input", "gamma"}) {
        const Record& gradient = record_field(record, name + "_gradient");
        lines += field_lines("rms_norm_backward_" + name, gradient, extent) +
                 record_line("rms_norm_backward_" + name + "_largest_disagreement",
                             record_field(gradient, "largest_disagreement"), extent);
    }
    return lines;
}

}  // namespace rmsnorm::experiments::normalization
