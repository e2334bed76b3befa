#include "experiments/rmsnorm/gradient_check.hpp"

#include <cmath>

#include "evidence/layer_checks.hpp"
#include "evidence/number_text.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "experiments/rmsnorm/gradient_bounds.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::experiments {
namespace {

Check worst_coordinate(std::string name, const autodiff::GradientCheck& check) {
    double worst = 0;
    for (const auto& coordinate : check.coordinates) {
        // A NaN is the worst, and no later error takes its place.
        if (std::isnan(worst)) break;
        worst = worse(worst, coordinate.scaled_error);
    }
    return at_most(std::move(name), "the gradient agrees with central differences", worst,
                   check.tolerance);
}

}  // namespace

GradientChecks gradient_checks(const GradientCheckCase& gradient_check_case) {
    const LayerCase& layer_case = gradient_check_case.layer;
    const Backward pass = backward(layer_case);
    GradientChecks evidence =
        gradient_checks(gradient_check_case, pass.input_gradient, pass.gain_gradient);
    evidence.checks.push_back(input_gradient_check(layer_case, pass.input_gradient));
    evidence.checks.push_back(gain_gradient_check(layer_case, pass.gain_gradient));
    return evidence;
}

std::vector<Input> GradientCheckInputs::declared() {
    std::vector<Input> inputs = BackwardInputs::declared();
    const std::string unless = ", or what fits the values when neither of these two is given";
    inputs.insert(
        inputs.end(),
        {{"step",
          &step,
          "how far a coordinate is moved to either side; above 0",
          {.shown_default = given_text(chapter_values::step) + unless, .range = Range::positive}},
         {"tolerance",
          &tolerance,
          "the largest scaled error that passes; 0 or more",
          {.shown_default = given_text(chapter_values::tolerance) + unless,
           .range = Range::nonnegative}},
         {"samples",
          &samples,
          "how many coordinates of a larger tensor are checked",
          {.least = 1, .most = std::uint64_t{1} << 22}},
         {"seed", &seed, "seed of the sampling"},
         {"unit", &unit, "the unit of step and tolerance", {.internal = true}}});
    return inputs;
}

void GradientCheckInputs::complete(const Given& given) {
    BackwardInputs::complete(given);
    if (given("step") || given("tolerance")) {
        step = step.value_or(chapter_values::step);
        tolerance = tolerance.value_or(chapter_values::tolerance);
        return;
    }
    // The layer accepts the case before its rows are measured.
    layer(*this).forward(autodiff::Value::constant(input));
    const ProbeSettings fitting = fitting_settings(*this);
    step = fitting.step;
    tolerance = fitting.tolerance;
    unit = fitting.unit == ProbeUnit::row ? "row" : "";
    fitted = true;
}

GradientChecks explained_gradient_checks(const GradientCheckInputs& inputs) {
    const std::string accepted =
        "a step that fits the values, as the program chooses it without --step and --tolerance";
    try {
        return gradient_checks({inputs, inputs.step.value(), inputs.tolerance.value(),
                                inputs.samples, static_cast<std::uint32_t>(inputs.seed),
                                inputs.unit == "row" ? ProbeUnit::row : ProbeUnit::one,
                                inputs.fitted});
    } catch (const GradientProbeError& error) {
        const bool is_input = error.tensor == ProbedTensor::input;
        throw InputRejection({"step"},
                             "found " + numeric::shortest(error.step) + ", which at " +
                                 (is_input ? "--input" : "--gain") + " element " +
                                 std::to_string(error.index + 1) + ", " +
                                 numeric::shortest(error.value) + ", " + error.reason,
                             accepted);
    } catch (const nn::RmsNormError& error) {
        backward(inputs);  // What the layer refuses where the values stand is told as it is.
        throw InputRejection(
            {"step"},
            "found " + numeric::shortest(inputs.step.value()) +
                ", which moves a value to where the layer refuses it: " + error.what(),
            accepted);
    }
}

GradientChecks gradient_checks(const GradientCheckCase& gradient_check_case,
                               const tensor::Tensor& input_gradient,
                               const tensor::Tensor& gain_gradient) {
    const auto& [layer_case, step, tolerance, samples, seed, unit, fitted] = gradient_check_case;
    const ProbeSettings settings{step, tolerance, unit};
    GradientChecks evidence{
        gradient_check_case,
        probe_gradient(layer_case, ProbedTensor::input, input_gradient, settings, samples, seed),
        probe_gradient(layer_case, ProbedTensor::gain, gain_gradient, settings, samples, seed),
        {}};
    evidence.checks = {worst_coordinate("input-gradient", evidence.input),
                       worst_coordinate("gain-gradient", evidence.gain)};
    const bool settled = fitted && evidence::all_passed(evidence.checks);
    if (unit == ProbeUnit::row || settled) return evidence;
    const GradientChoice choice{step != chapter_values::step, tolerance,
                                tolerance != chapter_values::tolerance};
    const auto decide = [&](Check& check, ProbedTensor probed, autodiff::GradientCheck& compared) {
        const auto slopes = compared_slopes(gradient_check_case.layer, probed, compared);
        for (std::size_t i = 0; i < slopes.size(); ++i) {
            compared.coordinates[i].decided =
                evidence::decision(slopes[i], choice) != Decision::undecided;
        }
        check = decided(std::move(check), slopes, choice);
        compared.passed = check.passed;
        compared.decided = check.decided;
    };
    decide(evidence.checks[0], ProbedTensor::input, evidence.input);
    decide(evidence.checks[1], ProbedTensor::gain, evidence.gain);
    return evidence;
}

Decision decision(const GradientChecks& e) {
    return both(evidence::decision(e.input.passed, e.input.decided),
                evidence::decision(e.gain.passed, e.gain.decided));
}

bool passed(const GradientChecks& evidence) { return decision(evidence) == Decision::holds; }

Record results(const GradientChecks& evidence) {
    return Record()
        .add("input_checks", coordinates_array(evidence.input))
        .add("gain_checks", coordinates_array(evidence.gain))
        .add("gradcheck", decision(evidence));
}

Array coordinates_array(const autodiff::GradientCheck& check) {
    return array_of(check.coordinates, [](const autodiff::CoordinateCheck& coordinate) {
        return Record()
            .add("index", coordinate.index)
            .add("analytic", coordinate.analytic)
            .add("numerical", coordinate.numerical)
            .add("scaled_error",
                 Scalar{coordinate.scaled_error, difference_decimals(coordinate.scaled_error)})
            .add("passed", evidence::decision(coordinate.passed, coordinate.decided));
    });
}

std::string text(const GradientChecks& e, Extent extent) {
    struct Named {
        std::string_view tensor;
        autodiff::CoordinateCheck check;
    };
    std::vector<Named> all;
    for (const auto& coordinate : e.input.coordinates) all.push_back({"input", coordinate});
    for (const auto& coordinate : e.gain.coordinates) all.push_back({"gain", coordinate});
    std::stable_sort(all.begin(), all.end(), [](const Named& a, const Named& b) {
        return a.check.scaled_error > b.check.scaled_error;
    });
    constexpr std::size_t most_shown = 5;
    all.resize(std::min(all.size(), most_shown));
    Lines lines(extent);
    for (const auto& [tensor, check] : all) {
        lines.line("worst")
            .part("tensor", tensor)
            .part("index", std::to_string(check.index))
            .part("analytic", check.analytic, difference_decimals(check.analytic))
            .part("numerical", check.numerical, difference_decimals(check.numerical))
            .part("scaled_error", check.scaled_error, difference_decimals(check.scaled_error))
            .part("passed", truth_text(evidence::decision(check.passed, check.decided)));
    }
    return gradient_check_line(e) + lines.str();
}

std::string gradient_check_line(const GradientChecks& e) {
    Lines lines;
    lines.line("gradcheck")
        .part("input_checks", std::to_string(e.input.coordinates.size()))
        .part("gain_checks", std::to_string(e.gain.coordinates.size()))
        .part("tolerance", exact_scalar(e.inputs.tolerance))
        .part("passed", truth_text(decision(e)));
    if (e.inputs.unit == ProbeUnit::row) lines.part("unit", "row");
    return lines.str();
}

}  // namespace rmsnorm::experiments
