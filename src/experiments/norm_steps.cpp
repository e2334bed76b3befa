#include "experiments/norm_steps.hpp"

#include "evidence/number_text.hpp"

namespace rmsnorm::experiments {

using evidence::figure_text;
using evidence::term;

void explain_moments(evidence::Derivation& steps, const NormSteps& row) {
    const std::string width = std::to_string(row.x.size());
    const auto x = [&](std::size_t i) { return term(row.x[i]); };
    if (row.mean) {
        steps.step(
            "mean", "mu = (x_1 + ... + x_d) / d, with d = " + width,
            "(" + steps.sum(row.x.size(), x) + ") / " + width + " = " + figure_text(*row.mean));
        const auto square = [&](std::size_t i) {
            return "(" + figure_text(row.x[i]) + " - " + term(*row.mean) + ")^2";
        };
        steps.step("variance", "s = ((x_1 - mu)^2 + ... + (x_d - mu)^2) / d",
                   "(" + steps.sum(row.x.size(), square) + ") / " + width + " = " +
                       figure_text(row.square));
    } else {
        const auto square = [&](std::size_t i) { return x(i) + "^2"; };
        steps.step("mean square", "m = (x_1^2 + ... + x_d^2) / d, with d = " + width,
                   "(" + steps.sum(row.x.size(), square) + ") / " + width + " = " +
                       figure_text(row.square));
    }
}

void explain_statistic(evidence::Derivation& steps, const NormSteps& row) {
    explain_moments(steps, row);
    steps.step("epsilon", std::string("v = ") + (row.mean ? "s" : "m") + " + epsilon",
               figure_text(row.square) + " + " + row.epsilon + " = " + figure_text(row.stabilized));
}

void explain_root(evidence::Derivation& steps, const NormSteps& row, Root root) {
    const bool reciprocal = root == Root::reciprocal;
    const std::string one = reciprocal ? "1 / " : "";
    steps.step(reciprocal ? "reciprocal root" : "root", "r = " + one + "sqrt(v)",
               one + "sqrt(" + figure_text(row.stabilized) + ") = " + figure_text(row.root));
}

void explain_normalized(evidence::Derivation& steps, const NormSteps& row, Root root) {
    const std::string by = root == Root::reciprocal ? " * " : " / ";
    const std::string x = steps.list(row.x);
    steps.step("normalize", std::string("n_i = ") + (row.mean ? "(x_i - mu)" : "x_i") + by + "r",
               (row.mean ? "(" + x + " - " + term(*row.mean) + ")" : x) + by +
                   figure_text(row.root) + " = " + steps.list(row.normalized));
}

void explain_gain(evidence::Derivation& steps, std::span<const double> normalized,
                  std::span<const double> gain, std::span<const double> output) {
    steps.step("gain", "y_i = n_i * g_i",
               steps.list(normalized) + " * " + steps.list(gain) + " = " + steps.list(output));
}

void explain_norm(evidence::Derivation& steps, const NormSteps& row, Root root) {
    explain_statistic(steps, row);
    explain_root(steps, row, root);
    explain_normalized(steps, row, root);
}

}  // namespace rmsnorm::experiments
