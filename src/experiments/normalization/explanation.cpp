#include "experiments/normalization/explanation.hpp"

#include <algorithm>
#include <vector>

#include "evidence/derivation.hpp"
#include "evidence/number_text.hpp"
#include "experiments/norm_steps.hpp"
#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

using evidence::Derivation;
using evidence::given_text;
using evidence::Worked;
using evidence::Written;
using Wide = std::vector<double>;

Wide wide(const Vector& values) { return widened(values); }
const Wide& wide(const Wide& values) { return values; }

// From x to the normalized vector.
template <class Real>
void explain(Derivation& steps, const Wide& x, const nn::LayerNormPass<Real>& pass, Real epsilon) {
    const Wide normalized = wide(pass.output);
    explain_norm(steps,
                 {.x = x,
                  .mean = static_cast<double>(pass.mean),
                  .square = static_cast<double>(pass.variance),
                  .epsilon = static_cast<double>(epsilon),
                  .stabilized = static_cast<double>(pass.variance + epsilon),
                  .root = static_cast<double>(pass.inverse_standard_deviation),
                  .normalized = normalized},
                 Root::reciprocal);
}

void explain_layer_norm(Derivation& steps, const Vector& input, float epsilon) {
    explain(steps, widened(input), plain_layer_norm(input, epsilon), epsilon);
}

void explain_rms_norm(Derivation& steps, const Vector& input, float epsilon) {
    const auto pass = plain_rms_norm(input, epsilon);
    const Wide x = widened(input);
    const Wide normalized = widened(pass.output);
    explain_norm(steps,
                 {.x = x,
                  .mean = {},
                  .square = static_cast<double>(pass.mean_square),
                  .epsilon = static_cast<double>(epsilon),
                  .stabilized = static_cast<double>(pass.mean_square + epsilon),
                  .root = static_cast<double>(pass.inverse_rms),
                  .normalized = normalized},
                 Root::reciprocal);
}

std::string heading(const Derivation& steps, const std::string& what, const Vector& x) {
    return what + ": x = " + steps.list(widened(x));
}

Worked over_width(const Written& w, const Worked& sum, std::size_t width) {
    return in_brackets(sum) / w.given(static_cast<double>(width));
}

// "n_1 p_1 + ..." over the width: `adjoint` writes each p_i.
template <class Adjoint>
Worked mean_product(const Written& w, const Wide& normalized, Adjoint adjoint) {
    const auto product = [&](std::size_t i) { return w.computed_term(normalized[i]) * adjoint(i); };
    return over_width(w, w.sum(normalized.size(), product), normalized.size());
}

// LayerNorm's adjoint, from that of the normalized vector to that of x.
template <class Real>
void explain_backward(Derivation& steps, const std::vector<Real>& upstream,
                      const nn::LayerNormPass<Real>& pass, const std::vector<Real>& gradient) {
    const auto mean = static_cast<double>(nn::mean<double, Real>(upstream));
    const auto product = static_cast<double>(nn::mean_product<double, Real>(pass.output, upstream));
    const Wide p = wide(upstream);
    const Wide n = wide(pass.output);
    steps.step(
        "through the mean", "a = (p_1 + ... + p_d) / d",
        [&](const Written& w) {
            const auto one = [&](std::size_t i) { return w.given_term(p[i]); };
            return over_width(w, w.sum(p.size(), one), p.size());
        },
        mean);
    steps.step(
        "through the variance", "b = (n_1 p_1 + ... + n_d p_d) / d",
        [&](const Written& w) {
            return mean_product(w, n, [&](std::size_t i) { return w.given_term(p[i]); });
        },
        product);
    steps.step(
        "input gradient", "dx_i = r * (p_i - a - n_i * b)",
        [&](const Written& w) {
            return w.computed(static_cast<double>(pass.inverse_standard_deviation)) *
                   in_brackets(w.given_list(p) - w.computed_term(mean) -
                               w.computed_list(n) * w.computed_term(product));
        },
        wide(gradient));
}

void explain_statistics(Derivation& steps, const std::string& name, const VectorStatistics& of) {
    const Wide x = widened(of.input);
    const auto least = std::min_element(x.begin(), x.end());
    const auto most = std::max_element(x.begin(), x.end());
    const auto variance = static_cast<double>(of.variance);
    const auto range = static_cast<double>(of.range);
    const auto deviation = static_cast<double>(of.standard_deviation);
    steps.heading(heading(steps, "Vector " + name, of.input));
    explain_moments(steps, {.x = x,
                            .mean = static_cast<double>(of.mean),
                            .square = variance,
                            .epsilon = 0,
                            .stabilized = variance});
    steps.step(
        "standard deviation", "sd = sqrt(s)",
        [&](const Written& w) { return sqrt(w.computed(variance)); }, deviation);
    steps.step(
        "range", "R = the largest value - the smallest",
        [&](const Written& w) { return w.given(*most) - w.given_term(*least); }, range);
    if (deviation == 0) {
        steps.note("Without a deviation the range has no unit, and the span is given as 0.");
        return;
    }
    steps.step(
        "span", "R / sd",
        [&](const Written& w) { return w.computed(range) / w.computed(deviation); }, of.span);
}

}  // namespace

std::string explanation(const Stats& evidence, Extent extent) {
    Derivation steps(extent);
    explain_statistics(steps, "a", evidence.a);
    explain_statistics(steps, "b", evidence.b);
    steps.notes(notes(evidence));
    return steps.str();
}

std::string explanation(const LayerNorm& evidence, Extent extent) {
    const auto& [input, gamma, beta, epsilon] = evidence.inputs;
    Derivation steps(extent);
    steps.heading(heading(steps, "LayerNorm", input));
    explain_layer_norm(steps, input, epsilon);
    const Wide n = widened(evidence.normalized);
    steps.step(
        "scale and shift", "y_i = gamma_i * n_i + beta_i",
        [&, &scale = gamma, &shift = beta](const Written& w) {
            return w.given_list(widened(scale)) * w.computed_list(n) + w.given_list(widened(shift));
        },
        widened(evidence.pass.output));
    steps.notes(notes(evidence));
    return steps.str();
}

std::string explanation(const RmsNorm& evidence, Extent extent) {
    const auto& [input, gamma, epsilon] = evidence.inputs;
    Derivation steps(extent);
    steps.heading(heading(steps, "RMSNorm", input));
    explain_rms_norm(steps, input, epsilon);
    const Wide n = widened(evidence.normalized);
    steps.step(
        "scale", "y_i = gamma_i * n_i",
        [&, &scale = gamma](const Written& w) {
            return w.given_list(widened(scale)) * w.computed_list(n);
        },
        widened(evidence.pass.output));
    return steps.str();
}

std::string explanation(const Compare& evidence, Extent extent) {
    Derivation steps(extent);
    for (const Comparison& one : evidence.comparisons) {
        steps.heading(heading(steps, "LayerNorm, " + one.name, one.input));
        explain_layer_norm(steps, one.input, evidence.epsilon);
        steps.heading(heading(steps, "RMSNorm, " + one.name, one.input));
        explain_rms_norm(steps, one.input, evidence.epsilon);
    }
    steps.notes(notes(evidence));
    return steps.str();
}

std::string explanation(const LayerNormBackward& evidence, Extent extent) {
    const auto& inputs = evidence.inputs;
    const auto pass = plain_layer_norm(inputs.input, inputs.epsilon);
    Derivation steps(extent);
    steps.heading(heading(steps, "LayerNorm backward", inputs.input) +
                  ", p = " + steps.list(widened(inputs.upstream)));
    explain_layer_norm(steps, inputs.input, inputs.epsilon);
    explain_backward(steps, inputs.upstream, pass, evidence.input_gradient);
    steps.notes(notes(evidence));
    return steps.str();
}

std::string explanation(const Constant& evidence, Extent extent) {
    const Vector input(evidence.inputs.width, evidence.inputs.value);
    Derivation steps(extent);
    for (const ConstantOutcome& outcome : evidence.outcomes) {
        const bool centered = outcome.norm == "layer-norm";
        const std::string epsilon = given_text(outcome.epsilon);
        steps.heading(heading(
            steps, (centered ? "LayerNorm, epsilon " : "RMSNorm, epsilon ") + epsilon, input));
        if (outcome.rejected) {
            // Only a zero is refused.
            const Wide x = widened(input);
            explain_statistic(steps, {.x = x,
                                      .mean = centered ? std::optional(x.front()) : std::nullopt,
                                      .square = 0,
                                      .epsilon = static_cast<double>(outcome.epsilon),
                                      .stabilized = 0});
            steps.note("Refused: " + outcome.message);
        } else if (centered) {
            explain_layer_norm(steps, input, outcome.epsilon);
        } else {
            explain_rms_norm(steps, input, outcome.epsilon);
        }
    }
    return steps.str();
}

std::string explanation(const RmsNormBackward& evidence, Extent extent) {
    const auto& inputs = evidence.inputs;
    const Wide p = widened(inputs.upstream);
    const Wide gamma = widened(inputs.gamma);
    const Wide n = widened(evidence.normalized);
    Vector products_of_gamma;
    for (std::size_t i = 0; i < p.size(); ++i) {
        products_of_gamma.push_back(inputs.gamma[i] * inputs.upstream[i]);
    }
    const auto product = static_cast<double>(
        nn::mean_product<double, float>(evidence.normalized, products_of_gamma));
    const Wide weights = widened(products_of_gamma);
    Derivation steps(extent);
    steps.heading(heading(steps, "RMSNorm backward", inputs.input) + ", p = " + steps.list(p));
    explain_rms_norm(steps, inputs.input, inputs.epsilon);
    steps.step(
        "through the scale", "w_i = gamma_i * p_i",
        [&](const Written& w) { return w.given_list(gamma) * w.given_list(p); }, weights);
    steps.step(
        "through the mean square", "b = (n_1 w_1 + ... + n_d w_d) / d",
        [&](const Written& w) {
            return mean_product(w, n, [&](std::size_t i) { return w.computed_term(weights[i]); });
        },
        product);
    steps.step(
        "input gradient", "dx_i = r * (w_i - n_i * b)",
        [&](const Written& w) {
            return w.computed(static_cast<double>(evidence.inverse_rms)) *
                   in_brackets(w.computed_list(weights) -
                               w.computed_list(n) * w.computed_term(product));
        },
        widened(evidence.input_gradient.closed_form));
    steps.step(
        "gradient of gamma", "dgamma_i = p_i * n_i",
        [&](const Written& w) { return w.given_list(p) * w.computed_list(n); },
        widened(evidence.gamma_gradient.closed_form));
    return steps.str();
}

std::string explanation(const ClosedForm& evidence, Extent extent) {
    const auto& inputs = evidence.inputs;
    const Wide x = widened(inputs.input);
    const auto epsilon = static_cast<double>(inputs.epsilon);
    const auto pass = nn::layer_norm<double, double>(x, epsilon);
    const Wide upstream = widened(inputs.upstream);
    Derivation steps(extent);
    steps.heading(heading(steps, "LayerNorm backward in binary64", inputs.input) +
                  ", p = " + steps.list(upstream));
    explain(steps, x, pass, epsilon);
    explain_backward(steps, upstream, pass, evidence.factored);
    return steps.str();
}

}  // namespace rmsnorm::experiments::normalization
