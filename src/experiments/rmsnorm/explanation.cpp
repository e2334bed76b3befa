#include "experiments/rmsnorm/explanation.hpp"

#include <span>
#include <vector>

#include "evidence/derivation.hpp"
#include "experiments/norm_steps.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::experiments {
namespace {

using evidence::Derivation;
using evidence::Worked;
using evidence::Written;
using Row = std::span<const double>;

constexpr std::size_t most_rows = 4;

std::size_t width_of(const tensor::Tensor& input) { return input.shape().back(); }
std::size_t rows_of(const tensor::Tensor& input) { return input.size() / width_of(input); }

Row values_of_row(const tensor::Tensor& tensor, std::size_t row) {
    const std::size_t width = width_of(tensor);
    return tensor.values().subspan(row * width, width);
}

NormSteps statistic(const Forward& pass, std::size_t row) {
    const double mean_square = pass.mean_square[row];
    return {.x = values_of_row(pass.input, row),
            .mean = {},
            .square = mean_square,
            .epsilon = pass.epsilon,
            .stabilized = mean_square + pass.epsilon,
            .root = pass.inverse_rms[row],
            .normalized = values_of_row(pass.normalized, row)};
}

// The layer takes the root by the logarithm.
void explain_reciprocal_root(Derivation& steps, const NormSteps& row) {
    explain_statistic(steps, row);
    steps.step(
        "reciprocal root", "r = exp(-0.5 ln v), which is 1 / sqrt(v)",
        [&](const Written& w) {
            return power_of_e(w.given(-0.5) * w.computed_term(numeric::log(row.stabilized)));
        },
        row.root);
}

// From the input to the normalized row.
void explain_rms_norm(Derivation& steps, const NormSteps& row) {
    explain_reciprocal_root(steps, row);
    explain_normalized(steps, row, Root::reciprocal);
}

std::string heading(const char* what, const tensor::Tensor& input, std::size_t row,
                    const Derivation& steps) {
    return std::string(what) + ", row " + std::to_string(row + 1) + " of " +
           std::to_string(rows_of(input)) + ": x = " + steps.list(values_of_row(input, row));
}

void note_rows(Derivation& steps, std::size_t count) {
    if (count == 0) steps.note("The batch has no row: there is nothing to compute.");
    if (steps.shown(count, most_rows) < count) {
        steps.note("... and " + std::to_string(count - most_rows) +
                   " more rows, each in the same way; --full shows them");
    }
}

}  // namespace

std::string explanation(const Forward& evidence, Extent extent) {
    Derivation steps(extent);
    const std::size_t count = rows_of(evidence.input);
    for (std::size_t row = 0; row < steps.shown(count, most_rows); ++row) {
        steps.heading(heading("Forward", evidence.input, row, steps));
        const NormSteps norm = statistic(evidence, row);
        explain_rms_norm(steps, norm);
        explain_gain(steps, norm.normalized, evidence.gain.values(),
                     values_of_row(evidence.output, row));
    }
    note_rows(steps, count);
    return steps.str();
}

std::string explanation(const Batch& evidence, Extent extent) {
    return explanation(forward({evidence.input, evidence.gain, evidence.input, evidence.epsilon,
                                evidence.gain_name}),
                       extent);
}

std::string explanation(const Backward& evidence, Extent extent) {
    const Forward pass = forward(
        {evidence.input, evidence.gain, evidence.upstream, evidence.epsilon, evidence.gain_name});
    const std::size_t count = rows_of(evidence.input);
    const std::size_t width = width_of(evidence.input);
    Derivation steps(extent);
    for (std::size_t row = 0; row < steps.shown(count, most_rows); ++row) {
        const Row x = values_of_row(evidence.input, row);
        const Row p = values_of_row(evidence.upstream, row);
        const Row g = evidence.gain.values();
        std::vector<double> weights;
        double inner = 0;
        for (std::size_t i = 0; i < width; ++i) {
            weights.push_back(p[i] * g[i]);
            inner += weights.back() * x[i];
        }
        steps.heading(heading("Backward", evidence.input, row, steps) + ", p = " + steps.list(p));
        explain_rms_norm(steps, statistic(pass, row));
        steps.step(
            "through the gain", "w_i = p_i * g_i",
            [&](const Written& w) { return w.given_list(p) * w.given_list(g); }, weights);
        steps.step(
            "all features meet in r", "s = w_1 x_1 + ... + w_d x_d",
            [&](const Written& w) {
                return w.sum(width, [&](std::size_t i) {
                    return w.computed_term(weights[i]) * w.given_term(x[i]);
                });
            },
            inner);
        steps.step(
            "input gradient", "dx_i = r * w_i - x_i * r^3 * s / d",
            [&](const Written& w) {
                const Worked r = w.computed(pass.inverse_rms[row]);
                return r * w.computed_list(weights) - w.given_list(x) * power(r, 3) *
                                                          w.computed_term(inner) /
                                                          w.given(static_cast<double>(width));
            },
            values_of_row(evidence.input_gradient, row));
    }
    note_rows(steps, count);
    if (count == 0) return steps.str();
    steps.heading("Backward, all rows");
    steps.step(
        "gain gradient", "dg_i = p_i * n_i, summed over the rows",
        [&](const Written& w) {
            return w.sum(count, [&](std::size_t row) {
                return w.given_list(values_of_row(evidence.upstream, row)) *
                       w.computed_list(values_of_row(pass.normalized, row));
            });
        },
        evidence.gain_gradient.values());
    return steps.str();
}

}  // namespace rmsnorm::experiments
