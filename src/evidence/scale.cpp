#include "evidence/scale.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/chapter_values.hpp"
#include "evidence/factor_error.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/layer_checks.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::evidence {
namespace {

nn::RmsNormForward normalize(const autodiff::Value& input, double epsilon) {
    const tensor::Shape& shape = input.shape();
    return unit_gain_layer(shape.empty() ? 1 : shape.back(), epsilon)
        .forward_with_intermediates(input);
}

ScaleMode mode_of(const tensor::Tensor& mean_square, double epsilon) {
    if (epsilon == 0) return ScaleMode::ideal;
    const auto rows = mean_square.values();
    const bool signal =
        std::all_of(rows.begin(), rows.end(), [&](double m) { return m >= epsilon; });
    return signal ? ScaleMode::production : ScaleMode::near_zero;
}

double largest_difference(const tensor::Tensor& a, const tensor::Tensor& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
    return largest;
}

ScaleComparison compare(const ScaleCase& scale_case) {
    const auto& [input, epsilon, factor] = scale_case;
    using Stage = FactorStage;
    const nn::RmsNormForward base = at_factor(Stage::unscaled, factor, epsilon, [&] {
        return normalize(autodiff::Value::constant(scale_case.input), scale_case.epsilon);
    });
    const autodiff::Value product = at_factor(Stage::product, factor, epsilon, [&] {
        return autodiff::Value::constant(
            tensor::multiply(scale_case.input, tensor::Tensor::scalar(scale_case.factor)));
    });
    const nn::RmsNormForward scaled = at_factor(
        Stage::scaled, factor, epsilon, [&] { return normalize(product, scale_case.epsilon); });
    return {mode_of(base.mean_square.tensor(), epsilon),
            input,
            epsilon,
            factor,
            base.normalized.tensor(),
            scaled.normalized.tensor(),
            largest_difference(base.normalized.tensor(), scaled.normalized.tensor())};
}

Check closed_form(const ScaleComparison& comparison) {
    Worst worst;
    const tensor::Tensor scaled_input =
        tensor::multiply(comparison.input, tensor::Tensor::scalar(comparison.factor));
    for (const Check& check :
         {closed_form_check(comparison.input, comparison.epsilon, comparison.base),
          closed_form_check(scaled_input, comparison.epsilon, comparison.scaled)}) {
        worst.consider(check.measure, check.bound);
    }
    return worst.check("", "");
}

Record record(const ScaleComparison& comparison) {
    return Record()
        .add("mode", std::string(name(comparison.mode)))
        .add("epsilon", setting(comparison.epsilon))
        .add("factor", setting(comparison.factor))
        .add("base", comparison.base)
        .add("scaled", comparison.scaled)
        .add("max_abs_diff",
             Scalar{comparison.max_abs_diff, difference_decimals(comparison.max_abs_diff)});
}

}  // namespace

std::string_view name(ScaleMode mode) {
    switch (mode) {
        case ScaleMode::ideal: return "ideal";
        case ScaleMode::production: return "production";
        case ScaleMode::near_zero: return "near-zero";
    }
    return "unknown";
}

std::vector<ScaleCase> chapter_scale_cases() {
    namespace chapter = chapter_values;
    return {{chapter::input(), chapter::ideal_epsilon, chapter::factor},
            {chapter::input(), chapter::epsilon, chapter::factor},
            {chapter::tiny_input(), chapter::epsilon, chapter::factor}};
}

std::vector<ScaleCase> combinations(const tensor::Tensor& input,
                                    const std::vector<double>& epsilons,
                                    const std::vector<double>& factors) {
    std::vector<ScaleCase> cases;
    for (const double epsilon : epsilons) {
        for (const double factor : factors) cases.push_back({input, epsilon, factor});
    }
    return cases;
}

Scale scale(const std::vector<ScaleCase>& cases) {
    Scale evidence;
    Worst worst;
    for (const ScaleCase& scale_case : cases) {
        evidence.comparisons.push_back(compare(scale_case));
        const Check check = closed_form(evidence.comparisons.back());
        worst.consider(check.measure, check.bound);
    }
    evidence.checks.push_back(worst.check(
        "closed-form", "in every row mean(normalized^2) is ms/(ms+epsilon), base and scaled"));
    return evidence;
}

Record inputs(const Scale& evidence) {
    Array cases;
    for (const ScaleComparison& comparison : evidence.comparisons) {
        cases.items.push_back(Record()
                                  .add("input", comparison.input)
                                  .add("epsilon", setting(comparison.epsilon))
                                  .add("factor", setting(comparison.factor)));
    }
    return Record().add("cases", cases);
}

Record results(const Scale& evidence) { return Record().add("scales", scales_array(evidence)); }

Array scales_array(const Scale& evidence) {
    Array scales;
    for (const ScaleComparison& comparison : evidence.comparisons) {
        scales.items.push_back(record(comparison));
    }
    return scales;
}

}  // namespace rmsnorm::evidence
