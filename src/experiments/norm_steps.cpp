#include "experiments/norm_steps.hpp"

#include <string>

namespace rmsnorm::experiments {

using evidence::Worked;
using evidence::Written;

void explain_moments(evidence::Derivation& steps, const NormSteps& row) {
    const std::size_t count = row.x.size();
    const auto width = static_cast<double>(count);
    const std::string with_width = ", with d = " + std::to_string(count);
    const auto mean_of = [&](const Written& w, auto one) {
        return in_brackets(w.sum(count, one)) / w.given(width);
    };
    if (row.mean) {
        steps.step(
            "mean", "mu = (x_1 + ... + x_d) / d" + with_width,
            [&](const Written& w) {
                return mean_of(w, [&](std::size_t i) { return w.given_term(row.x[i]); });
            },
            *row.mean);
        steps.step(
            "variance", "s = ((x_1 - mu)^2 + ... + (x_d - mu)^2) / d",
            [&](const Written& w) {
                return mean_of(w, [&](std::size_t i) {
                    return power(in_brackets(w.given(row.x[i]) - w.computed_term(*row.mean)), 2);
                });
            },
            row.square);
    } else {
        steps.step(
            "mean square", "m = (x_1^2 + ... + x_d^2) / d" + with_width,
            [&](const Written& w) {
                return mean_of(w, [&](std::size_t i) { return power(w.given_term(row.x[i]), 2); });
            },
            row.square);
    }
}

void explain_statistic(evidence::Derivation& steps, const NormSteps& row) {
    explain_moments(steps, row);
    steps.step(
        "epsilon", std::string("v = ") + (row.mean ? "s" : "m") + " + epsilon",
        [&](const Written& w) { return w.computed(row.square) + w.given(row.epsilon); },
        row.stabilized);
}

void explain_root(evidence::Derivation& steps, const NormSteps& row, Root root) {
    const bool reciprocal = root == Root::reciprocal;
    steps.step(
        reciprocal ? "reciprocal root" : "root",
        std::string("r = ") + (reciprocal ? "1 / " : "") + "sqrt(v)",
        [&](const Written& w) {
            const Worked divisor = sqrt(w.computed(row.stabilized));
            return reciprocal ? w.given(1) / divisor : divisor;
        },
        row.root);
}

void explain_normalized(evidence::Derivation& steps, const NormSteps& row, Root root) {
    const bool reciprocal = root == Root::reciprocal;
    steps.step(
        "normalize",
        std::string("n_i = ") + (row.mean ? "(x_i - mu)" : "x_i") + (reciprocal ? " * r" : " / r"),
        [&](const Written& w) {
            const Worked x = w.given_list(row.x);
            const Worked centered = row.mean ? in_brackets(x - w.computed_term(*row.mean)) : x;
            const Worked r = w.computed(row.root);
            return reciprocal ? centered * r : centered / r;
        },
        row.normalized);
}

void explain_gain(evidence::Derivation& steps, std::span<const double> normalized,
                  std::span<const double> gain, std::span<const double> output) {
    steps.step(
        "gain", "y_i = n_i * g_i",
        [&](const Written& w) { return w.computed_list(normalized) * w.given_list(gain); }, output);
}

void explain_norm(evidence::Derivation& steps, const NormSteps& row, Root root) {
    explain_statistic(steps, row);
    explain_root(steps, row, root);
    explain_normalized(steps, row, root);
}

}  // namespace rmsnorm::experiments
