#include "experiments/rmsnorm/scale.hpp"

#include <algorithm>

#include "evidence/layer_case.hpp"
#include "evidence/layer_checks.hpp"
#include "evidence/number_text.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "experiments/rmsnorm/factor_error.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::experiments {
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
            tensor::largest_difference(base.normalized.tensor(), scaled.normalized.tensor())};
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
        .add("epsilon", exact_scalar(comparison.epsilon))
        .add("factor", exact_scalar(comparison.factor))
        .add("base", comparison.base)
        .add("scaled", comparison.scaled)
        .add("max_abs_diff",
             Scalar{comparison.max_abs_diff, difference_decimals(comparison.max_abs_diff)});
}

// "near-zero" is "near_zero" where it names a line.
std::string line_name(ScaleMode mode) {
    std::string text(name(mode));
    std::replace(text.begin(), text.end(), '-', '_');
    return text + "_scale";
}

Record record_of(const ScaleCase& one) {
    return Record()
        .add("input", one.input)
        .add("epsilon", exact_scalar(one.epsilon))
        .add("factor", exact_scalar(one.factor));
}

// Of a record that a reader may have written.
ScaleCase case_of(const Record& record) {
    ScaleCase one{{}, -1, -1};
    for (const Field& field : record.fields) {
        if (const auto* figures = std::get_if<TensorFigure>(&field.datum.value)) {
            if (field.key == "input") one.input = figures->tensor;
        } else if (const auto* number = std::get_if<Scalar>(&field.datum.value)) {
            if (field.key == "epsilon") one.epsilon = number->value;
            if (field.key == "factor") one.factor = number->value;
        }
    }
    if (within(one.epsilon, Range::nonnegative) && within(one.factor, Range::positive)) return one;
    throw InputRejection({"cases"}, "found one without an epsilon from 0 and a factor above 0",
                         "objects with input, epsilon and factor");
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

ScaleInputs::ScaleInputs()
    : input(chapter_values::input()),
      epsilons{chapter_values::ideal_epsilon, chapter_values::epsilon},
      factors{chapter_values::factor} {
    for (const ScaleCase& one : chapter_scale_cases()) compared.push_back(record_of(one));
}

std::vector<Input> ScaleInputs::declared() {
    return {{"input",
             &input,
             "the input, [..., d]: a list, @FILE or -; without any option the chapter's three "
             "comparisons are made",
             {.recorded = false}},
            {"epsilon",
             &epsilons,
             "a list; each 0 or more",
             {.range = Range::nonnegative, .recorded = false}},
            {"factor",
             &factors,
             "a list; each above 0, and each with every epsilon",
             {.range = Range::positive, .recorded = false}},
            {"cases", &compared, "the comparisons, one by one"}};
}

void ScaleInputs::complete(const Given& given) {
    if (given("cases") || !given.any()) return;
    if (input.rank() == 0) input = tensor::Tensor::vector({input[0]});
    const auto refuse = [&](const std::string& with, const std::string& accepted) {
        throw InputRejection({"factor"},
                             "found " + std::to_string(epsilons.size()) + " epsilons times " +
                                 std::to_string(factors.size()) + " factors" + with,
                             "a product of at most " + accepted);
    };
    // Each keeps its own tensors and figures, about three kilobytes beside the values.
    constexpr std::size_t most_comparisons = std::size_t{1} << 15;
    if (factors.size() > most_comparisons / epsilons.size()) {
        refuse("", std::to_string(most_comparisons) + " comparisons");
    }
    if (factors.size() >
        given.max_elements() / std::max<std::size_t>(input.size(), 1) / epsilons.size()) {
        refuse(" times " + counted(input.size(), "value"),
               std::to_string(given.max_elements()) + " (--max-elements)");
    }
    compared.clear();
    for (const ScaleCase& one : combinations(input, epsilons, factors)) {
        compared.push_back(record_of(one));
    }
}

std::vector<ScaleCase> ScaleInputs::cases() const {
    std::vector<ScaleCase> all;
    for (const Record& record : compared) all.push_back(case_of(record));
    return all;
}

Scale explained_scale(const ScaleInputs& inputs) {
    try {
        return scale(inputs.cases());
    } catch (const FactorError& error) {
        const bool by_input = error.stage == FactorStage::unscaled;
        throw InputRejection({by_input ? "input" : "factor"}, error.what(),
                             std::string(by_input ? "values" : "factors") +
                                 " that leave every square finite, and with epsilon 0 no row "
                                 "without a square above zero");
    }
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

Record results(const Scale& evidence) { return Record().add("scales", scales_array(evidence)); }

Array scales_array(const Scale& evidence) { return array_of(evidence.comparisons, record); }

std::string text(const Scale& e, Extent extent) {
    Lines lines(extent);
    for (const ScaleComparison& comparison : e.comparisons) {
        lines.line(line_name(comparison.mode))
            .part("epsilon", exact_scalar(comparison.epsilon))
            .part("factor", exact_scalar(comparison.factor))
            .part("base", comparison.base)
            .part("scaled", comparison.scaled)
            .part("max_abs_diff", comparison.max_abs_diff,
                  difference_decimals(comparison.max_abs_diff));
    }
    return lines.str();
}

}  // namespace rmsnorm::experiments
