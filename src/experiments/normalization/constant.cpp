#include "experiments/normalization/constant.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/rms_norm.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

ConstantOutcome outcome(const ConstantCase& constant_case, const char* norm, float epsilon) {
    const Vector input(constant_case.width, constant_case.value);
    try {
        return {norm, epsilon, false, "",
                std::string(norm) == "layer-norm" ? plain_layer_norm(input, epsilon).output
                                                  : plain_rms_norm(input, epsilon).output};
    } catch (const nn::NormalizationError& error) {
        if (std::holds_alternative<nn::ZeroVariance>(error.rejection())) {
            // The fixture speaks of the first of the features, which are all alike.
            const nn::NormalizationError first("LayerNorm", nn::ZeroVariance{0});
            return {norm, epsilon, true, first.what(), {}};
        }
        if (!std::holds_alternative<nn::ZeroMeanSquare>(error.rejection())) throw;
        return {norm, epsilon, true, error.what(), {}};
    }
}

// Every component against value / sqrt(value^2 + epsilon), or NaN when there is none.
double worst_rms_error(const Constant& evidence, const ConstantOutcome& outcome) {
    const auto value = static_cast<double>(evidence.inputs.value);
    const double expected = value / std::sqrt(value * value + static_cast<double>(outcome.epsilon));
    double worst = 0;
    for (const float component : outcome.output) {
        const double error = std::fabs(static_cast<double>(component) - expected);
        worst = worse(worst, error);
    }
    return worst;
}

}  // namespace

ConstantCase book_constant_case() { return {5, 4, values::epsilon}; }

Constant constant(const ConstantCase& constant_case) {
    Constant evidence{constant_case, {}, {}};
    Vector epsilons{constant_case.epsilon};
    if (constant_case.epsilon != 0) epsilons.push_back(0);
    for (const float epsilon : epsilons) {
        for (const char* norm : {"layer-norm", "rms-norm"}) {
            evidence.outcomes.push_back(outcome(constant_case, norm, epsilon));
        }
    }
    evidence.checks = constant_checks(evidence);
    return evidence;
}

Record inputs(const Constant& evidence) {
    return Record()
        .add("value", figure(evidence.inputs.value, {1}))
        .add("width", evidence.inputs.width)
        .add("epsilon", figure(evidence.inputs.epsilon, {6}));
}

Record results(const Constant& evidence) {
    return Record().add("constant", constant_record(evidence));
}

Record constant_record(const Constant& evidence) {
    Array outcomes;
    for (const ConstantOutcome& outcome : evidence.outcomes) {
        const auto when = [](bool present) {
            return present ? Presence::present : Presence::absent;
        };
        outcomes.items.push_back(Record()
                                     .add("norm", outcome.norm)
                                     .add("epsilon", figure(outcome.epsilon, {6}))
                                     .add("rejected", outcome.rejected)
                                     .add("message", outcome.message, when(outcome.rejected))
                                     .add("output",
                                          figures(outcome.output, {6, numeric::Plus::shown}),
                                          when(!outcome.rejected)));
    }
    return Record()
        .add("input", figures(Vector(evidence.inputs.width, evidence.inputs.value), {1}))
        .add("outcomes", outcomes);
}

std::vector<Check> constant_checks(const Constant& evidence) {
    std::vector<Check> checks;
    for (const ConstantOutcome& outcome : evidence.outcomes) {
        const bool without_epsilon = outcome.epsilon == 0;
        const std::string suffix = without_epsilon ? "-without-epsilon" : "-with-epsilon";
        if (outcome.norm == "layer-norm") {
            // Equal binary32 values add up in binary64 without rounding (up to 2^29 of them), so
            // the mean is the value itself and every deviation is zero.
            const auto nonzero = std::count_if(outcome.output.begin(), outcome.output.end(),
                                               [](float component) { return component != 0; });
            checks.push_back(
                without_epsilon
                    ? at_most(outcome.norm + suffix, "a zero variance without epsilon is rejected",
                              outcome.rejected ? 0 : 1, 0)
                    : at_most(outcome.norm + suffix, "every component is exactly zero",
                              static_cast<double>(nonzero) + (outcome.rejected ? 1 : 0), 0));
        } else {
            const float square = evidence.inputs.value * evidence.inputs.value;
            const bool zero = square == 0 && without_epsilon;
            // In units: half of the 2 in the mean square, 1.5 in root and quotient, half of one in
            // the sum with epsilon, one in the product make 4. The square and the mean of a
            // subnormal square are off by 2^-150 each, whatever the square is.
            const auto exact = static_cast<double>(evidence.inputs.value);
            const double stabilized = exact * exact + static_cast<double>(outcome.epsilon);
            const double underflow = zero || stabilized == 0 ? 0 : 0x1p-149 / stabilized;
            checks.push_back(
                zero ? at_most(outcome.norm + suffix,
                               "a zero mean square without epsilon is rejected",
                               outcome.rejected ? 0 : 1, 0)
                     : at_most(outcome.norm + suffix,
                               "every component is value / sqrt(value^2 + epsilon) to rounding",
                               worst_rms_error(evidence, outcome) + (outcome.rejected ? 1 : 0),
                               5 * binary32_unit + underflow));
        }
    }
    return checks;
}

}  // namespace rmsnorm::experiments::normalization
