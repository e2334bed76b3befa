#include "experiments/rmsnorm/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "evidence/layer_case.hpp"
#include "evidence/layer_checks.hpp"
#include "evidence/number_text.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "experiments/rmsnorm/factor_error.hpp"
#include "numeric/decimal.hpp"
#include "numeric/elementary.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::experiments {
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

Scalar small(double value) { return {value, difference_decimals(value)}; }

// One row a factor, a bar from 0 to 1.
std::string plot(const Sweep& e) {
    constexpr std::size_t bar_width = 50;
    std::size_t label_width = 0;
    for (const auto& point : e.points) {
        label_width = std::max(label_width, numeric::shortest(point.factor).size());
    }
    std::string text = "plot=normalized_mean_square, 0 to 1, by factor\n";
    for (const auto& point : e.points) {
        const std::string label = numeric::shortest(point.factor);
        const double part = std::clamp(point.normalized_mean_square, 0.0, 1.0);
        const auto length =
            static_cast<std::size_t>(std::floor(part * static_cast<double>(bar_width) + 0.5));
        text.append(label_width - label.size(), ' ').append(label).append(" |");
        text.append(length, '#').append(bar_width - length, ' ').append("| ");
        text.append(name(point.regime)).append("\n");
    }
    return text;
}

}  // namespace

std::string_view name(Regime regime) {
    switch (regime) {
        case Regime::epsilon: return "epsilon";
        case Regime::transition: return "transition";
        case Regime::signal: return "signal";
    }
    return "unknown";
}

std::vector<Input> SweepInputs::declared() {
    constexpr std::size_t most_points = 1000;
    return {
        {"input", &input, "one vector, not all zero: a list, @FILE or -", {.one_vector = true}},
        {"epsilon", &epsilon, "added to the mean square; 0 or more", {.range = Range::nonnegative}},
        {"from", &from, "the first factor; above 0", {.range = Range::positive}},
        {"to", &to, "the last factor; above the first", {.range = Range::positive}},
        {"points",
         &points,
         "how many factors, from 2 to 1000, each the same multiple of the one before",
         {.least = 2, .most = most_points}}};
}

void SweepInputs::complete(const Given&) const {
    if (from >= to) {
        throw InputRejection({"from"}, "found " + given_text(from),
                             "a factor below --to, " + given_text(to));
    }
    const auto factors = sweep_factors(from, to, points);
    if (std::adjacent_find(factors.begin(), factors.end(), std::greater_equal<>()) !=
        factors.end()) {
        throw InputRejection({"points"},
                             "found " + std::to_string(points) + " factors from " +
                                 given_text(from) + " to " + given_text(to) +
                                 ", of which some are equal to six digits",
                             "fewer points, or --from and --to further apart");
    }
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

Sweep sweep(const SweepInputs& sweep_case) {
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
                                   tensor::largest_difference(normalized, without_epsilon),
                                   regime_of(closed_form)});
        const Check check = closed_form_check(input.tensor(), sweep_case.epsilon, normalized);
        worst.consider(check.measure, check.bound);
    }
    evidence.checks.push_back(
        worst.check("closed-form", "at every factor mean(normalized^2) is ms/(ms+epsilon)"));
    return evidence;
}

Sweep explained_sweep(const SweepInputs& inputs) {
    try {
        return sweep(inputs);
    } catch (const FactorError& error) {
        std::vector<std::string> keys{"input"};
        if (error.factor == inputs.from) keys.emplace_back("from");
        if (error.factor == inputs.to) keys.emplace_back("to");
        throw InputRejection(std::move(keys), error.what(),
                             error.stage == FactorStage::without_epsilon
                                 ? "an input and factors of which no product has only squares of "
                                   "zero"
                                 : "an input and factors whose squares are finite");
    }
}

Record results(const Sweep& evidence) {
    return Record().add("sweep", array_of(evidence.points, [](const SweepPoint& point) {
                            return Record()
                                .add("factor", exact_scalar(point.factor))
                                .add("mean_square", small(point.mean_square))
                                .add("normalized_mean_square", small(point.normalized_mean_square))
                                .add("closed_form", small(point.closed_form))
                                .add("max_abs_diff", small(point.max_abs_diff))
                                .add("regime", std::string(name(point.regime)));
                        }));
}

std::string text(const Sweep& e, Extent extent) {
    Lines lines(extent);
    for (const auto& point : e.points) {
        lines.line("sweep")
            .part("factor", exact_scalar(point.factor))
            .part("mean_square", point.mean_square, difference_decimals(point.mean_square))
            .part("normalized_mean_square", point.normalized_mean_square,
                  difference_decimals(point.normalized_mean_square))
            .part("closed_form", point.closed_form, difference_decimals(point.closed_form))
            .part("max_abs_diff", point.max_abs_diff, difference_decimals(point.max_abs_diff))
            .part("regime", name(point.regime));
    }
    return lines.str() + plot(e);
}

}  // namespace rmsnorm::experiments
