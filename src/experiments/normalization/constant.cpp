#include "experiments/normalization/constant.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/normalization/bounds.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/rms_norm.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

bool is_layer_norm(const ConstantOutcome& outcome) { return outcome.norm == "layer-norm"; }

// The formula without the guard of the layers.
Vector unguarded(const ConstantInputs& inputs, bool centered) {
    const Vector input(inputs.width, inputs.value);
    const float center = centered ? nn::mean<double, float>(input) : 0;
    const float inverse = 1 / std::sqrt(nn::variance<double, float>(input, center));
    Vector output;
    for (const float value : input) output.push_back((value - center) * inverse);
    return output;
}

ConstantOutcome outcome(const ConstantInputs& inputs, const char* norm, float epsilon) {
    const Vector input(inputs.width, inputs.value);
    ConstantOutcome outcome{norm, epsilon, false, "", {}, {}};
    const bool centered = is_layer_norm(outcome);
    try {
        outcome.output = centered ? plain_layer_norm(input, epsilon).output
                                  : plain_rms_norm(input, epsilon).output;
    } catch (const nn::NormalizationError& error) {
        if (!std::holds_alternative<nn::ZeroVariance>(error.rejection()) &&
            !std::holds_alternative<nn::ZeroMeanSquare>(error.rejection())) {
            throw;
        }
        outcome.rejected = true;
        outcome.message = error.what();
        if (inputs.unguarded) outcome.unguarded = unguarded(inputs, centered);
    }
    return outcome;
}

// How many components have another property than `holds`, and one for a rejection where there
// should be none, or the other way round.
template <class Holds>
double exceptions(const ConstantOutcome& outcome, const Vector& output, bool rejected,
                  Holds holds) {
    const auto held = std::count_if(output.begin(), output.end(), holds);
    return static_cast<double>(output.size()) - static_cast<double>(held) +
           (outcome.rejected == rejected ? 0 : 1);
}

Check rejection_check(std::string name, const char* what, const ConstantOutcome& outcome) {
    return at_most(std::move(name), std::string("a zero ") + what + " without epsilon is rejected",
                   outcome.rejected ? 0 : 1, 0);
}

Check rms_check(std::string name, const ConstantInputs& used, const ConstantOutcome& outcome) {
    const NormBounds bounds = rms_norm_bounds(Vector(used.width, used.value), outcome.epsilon);
    Worst worst;
    worst.consider(outcome.rejected ? 1 : 0, 0);
    for (std::size_t i = 0; i < outcome.output.size(); ++i) {
        worst.consider(std::fabs(static_cast<double>(outcome.output[i]) - bounds.normalized[i]),
                       bounds.error[i]);
    }
    return worst.check(std::move(name),
                       "every component is value / sqrt(value^2 + epsilon) to rounding");
}

Array texts(const Vector& values) {
    return array_of(values,
                    [](float value) { return numeric::shortest(static_cast<double>(value)); });
}

}  // namespace

std::vector<Input> ConstantInputs::declared() {
    return {{"value", &value, "the value of every component", {.decimals = {{1}}}},
            {"width", &width, "how many components there are", {.least = 1, .most = widest}},
            epsilon_input(epsilon),
            {"unguarded", &unguarded, "also show what the formula gives where it is refused"}};
}

Constant constant(const ConstantInputs& inputs) {
    Constant evidence{inputs, {}, {}};
    Vector epsilons{inputs.epsilon};
    if (inputs.epsilon != 0) epsilons.push_back(0);
    for (const float epsilon : epsilons) {
        for (const char* norm : {"layer-norm", "rms-norm"}) {
            evidence.outcomes.push_back(outcome(inputs, norm, epsilon));
        }
    }
    evidence.checks = constant_checks(evidence);
    return evidence;
}

Record results(const Constant& evidence) {
    return Record().add(
        "constant",
        Record()
            .add("input", figures(Vector(evidence.inputs.width, evidence.inputs.value), {1}))
            .add("outcomes", array_of(evidence.outcomes, [](const ConstantOutcome& outcome) {
                     const Vector& unguarded = outcome.unguarded;
                     return Record()
                         .add("norm", outcome.norm)
                         .add("epsilon", figure(outcome.epsilon, {6}))
                         .add("rejected", outcome.rejected)
                         .add("message", outcome.message, present_if(outcome.rejected))
                         .add("output", figures(outcome.output, {6, numeric::Plus::shown}),
                              present_if(!outcome.rejected))
                         .add("unguarded", texts(unguarded), present_if(!unguarded.empty()));
                 })));
}

std::string text(const Constant& evidence, Extent extent) {
    const Record results_of_run = results(evidence);
    const Record& record = record_field(results_of_run, "constant");
    std::string lines =
        Lines().line("constant_input").text(datum_text(field(record, "input"), extent)).str();
    for (const Datum& outcome : array_field(record, "outcomes").items) {
        lines += record_line("constant", std::get<Record>(outcome.value), extent);
    }
    if (evidence.inputs.unguarded) {
        lines += note("unguarded is what the formula gives where the layer refuses");
    }
    return lines;
}

std::vector<Check> constant_checks(const Constant& evidence) {
    std::vector<Check> checks;
    for (const ConstantOutcome& outcome : evidence.outcomes) {
        const bool without_epsilon = outcome.epsilon == 0;
        const std::string suffix = without_epsilon ? "-without-epsilon" : "-with-epsilon";
        const std::string name = outcome.norm + suffix;
        const float square = evidence.inputs.value * evidence.inputs.value;
        // Equal binary32 values add up in binary64 without rounding (up to 2^29 of them), so the
        // mean is the value itself and every deviation is zero.
        if (without_epsilon && is_layer_norm(outcome)) {
            checks.push_back(rejection_check(name, "variance", outcome));
        } else if (is_layer_norm(outcome)) {
            checks.push_back(at_most(name, "every component is exactly zero",
                                     exceptions(outcome, outcome.output, false,
                                                [](float component) { return component == 0; }),
                                     0));
        } else if (without_epsilon && square == 0) {
            checks.push_back(rejection_check(name, "mean square", outcome));
        } else {
            checks.push_back(rms_check(name, evidence.inputs, outcome));
        }
        if (outcome.unguarded.empty()) continue;
        checks.push_back(at_most(
            outcome.norm + "-unguarded",
            "without the guard every component is multiplied by 1 / sqrt(0), and none is finite",
            exceptions(outcome, outcome.unguarded, true,
                       [](float component) { return !std::isfinite(component); }),
            0));
    }
    return checks;
}

}  // namespace rmsnorm::experiments::normalization
