#include "experiments/rmsnorm/explanation.hpp"

#include <span>
#include <vector>

#include "evidence/derivation.hpp"
#include "evidence/number_text.hpp"
#include "experiments/norm_steps.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::experiments {
namespace {

using evidence::Derivation;
using evidence::figure_text;
using evidence::term;
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
            .epsilon = evidence::given_text(pass.epsilon),
            .stabilized = mean_square + pass.epsilon,
            .root = pass.inverse_rms[row],
            .normalized = values_of_row(pass.normalized, row)};
}

// The layer takes the root by the logarithm.
void explain_reciprocal_root(Derivation& steps, const NormSteps& row) {
    explain_statistic(steps, row);
    steps.step("reciprocal root", "r = exp(-0.5 ln v), which is 1 / sqrt(v)",
               "exp(-0.5 * " + term(numeric::log(row.stabilized)) + ") = " + figure_text(row.root));
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
        explain_reciprocal_root(steps, norm);
        explain_normalized(steps, norm, Root::reciprocal);
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
        const std::string r = figure_text(pass.inverse_rms[row]);
        std::vector<double> weights;
        double inner = 0;
        for (std::size_t i = 0; i < width; ++i) {
            weights.push_back(p[i] * g[i]);
            inner += weights.back() * x[i];
        }
        steps.heading(heading("Backward", evidence.input, row, steps) + ", p = " + steps.list(p));
        explain_reciprocal_root(steps, statistic(pass, row));
        steps.step("through the gain", "w_i = p_i * g_i",
                   steps.list(p) + " * " + steps.list(g) + " = " + steps.list(weights));
        const auto product = [&](std::size_t i) { return term(weights[i]) + " * " + term(x[i]); };
        steps.step("all features meet in r", "s = w_1 x_1 + ... + w_d x_d",
                   steps.sum(width, product) + " = " + figure_text(inner));
        steps.step("input gradient", "dx_i = r * w_i - x_i * r^3 * s / d",
                   r + " * " + steps.list(weights) + " - " + steps.list(x) + " * " + r + "^3 * " +
                       term(inner) + " / " + std::to_string(width) + " = " +
                       steps.list(values_of_row(evidence.input_gradient, row)));
    }
    note_rows(steps, count);
    steps.note("Gain gradient: dg_i = the sum of p_i * n_i over the rows");
    steps.note("     " + steps.list(evidence.gain_gradient.values()));
    return steps.str();
}

}  // namespace rmsnorm::experiments
