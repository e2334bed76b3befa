#include "evidence/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "evidence/chapter_values.hpp"
#include "evidence/factor_error.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/layer_checks.hpp"
#include "numeric/decimal.hpp"
#include "numeric/elementary.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::evidence {
namespace {

Regime regime_of(double closed_form) {
    if (closed_form >= 0.99) return Regime::signal;
    return closed_form <= 0.01 ? Regime::epsilon : Regime::transition;
}

double mean_of_squares(const tensor::Tensor& vector) {
    double sum = 0;
    for (const double value : vector.values()) sum += value * value;
    return sum / static_cast<double>(vector.size());
}

double largest_difference(const tensor::Tensor& a, const tensor::Tensor& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
    return largest;
}

Scalar small(double value) { return {value, difference_decimals(value)}; }

}  // namespace

std::string_view name(Regime regime) {
    switch (regime) {
        case Regime::epsilon: return "epsilon";
        case Regime::transition: return "transition";
        case Regime::signal: return "signal";
    }
    return "unknown";
}

SweepCase chapter_sweep_case() {
    return {chapter_values::input(), chapter_values::epsilon, 1e-6, 1e2, 17};
}

std::vector<double> sweep_factors(double from, double to, std::size_t points) {
    std::vector<double> factors{from};
    const double start = numeric::log(from);
    const double range = numeric::log(to) - start;
    for (std::size_t i = 1; i + 1 < points; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(points - 1);
        // Six digits: differences in the last bit of a logarithm vanish.
        factors.push_back(
            std::clamp(numeric::rounded(numeric::exp(start + range * part), 6), from, to));
    }
    factors.push_back(to);
    return factors;
}

Sweep sweep(const SweepCase& sweep_case) {
    Sweep evidence{sweep_case, {}, {}};
    const nn::RmsNorm norm = unit_gain_layer(sweep_case.input.size(), sweep_case.epsilon);
    const nn::RmsNorm ideal = unit_gain_layer(sweep_case.input.size(), 0.0);
    Worst worst;
    for (const double factor : sweep_factors(sweep_case.from, sweep_case.to, sweep_case.points)) {
        const double epsilon = sweep_case.epsilon;
        const auto input = at_factor(FactorStage::product, factor, epsilon, [&] {
            return autodiff::Value::constant(
                tensor::multiply(sweep_case.input, tensor::Tensor::scalar(factor)));
        });
        const nn::RmsNormForward pass = at_factor(FactorStage::scaled, factor, epsilon, [&] {
            return norm.forward_with_intermediates(input);
        });
        const tensor::Tensor& normalized = pass.normalized.tensor();
        const double mean_square = pass.mean_square.tensor()[0];
        const double closed_form = mean_square / (mean_square + sweep_case.epsilon);
        const tensor::Tensor without_epsilon =
            at_factor(FactorStage::without_epsilon, factor, epsilon,
                      [&] { return ideal.forward_with_intermediates(input).normalized.tensor(); });
        evidence.points.push_back({factor, mean_square, mean_of_squares(normalized), closed_form,
                                   largest_difference(normalized, without_epsilon),
                                   regime_of(closed_form)});
        const Check check = closed_form_check(input.tensor(), sweep_case.epsilon, normalized);
        worst.consider(check.measure, check.bound);
    }
    evidence.checks.push_back(
        worst.check("closed-form", "at every factor mean(normalized^2) is ms/(ms+epsilon)"));
    return evidence;
}

Record inputs(const Sweep& evidence) {
    const SweepCase& used = evidence.inputs;
    return Record()
        .add("input", used.input)
        .add("epsilon", setting(used.epsilon))
        .add("from", setting(used.from))
        .add("to", setting(used.to))
        .add("points", used.points);
}

Record results(const Sweep& evidence) {
    Array points;
    for (const SweepPoint& point : evidence.points) {
        points.items.push_back(
            Record()
                .add("factor", setting(point.factor))
                .add("mean_square", small(point.mean_square))
                .add("normalized_mean_square", small(point.normalized_mean_square))
                .add("closed_form", small(point.closed_form))
                .add("max_abs_diff", small(point.max_abs_diff))
                .add("regime", std::string(name(point.regime))));
    }
    return Record().add("sweep", std::move(points));
}

}  // namespace rmsnorm::evidence
