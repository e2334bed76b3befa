#include "experiments/rmsnorm/zero.hpp"

#include <cmath>

#include "evidence/layer_case.hpp"

namespace rmsnorm::experiments {

std::vector<Input> ZeroInputs::declared() {
    return {{"width", &width, "how many features the row has", {.least = 1, .most = 0}},
            {"epsilon",
             &epsilon,
             "added to the mean square; 0 or more",
             {.range = Range::nonnegative}}};
}

Zero zero(const ZeroInputs& inputs) {
    const auto& [feature_width, epsilon] = inputs;
    const nn::RmsNorm norm = unit_gain_layer(feature_width, epsilon);
    const auto input = tensor::Tensor::filled({feature_width}, 0.0);
    Zero evidence{epsilon, input, std::nullopt, false, std::nullopt, {}};
    try {
        evidence.output = norm.forward(autodiff::Value::constant(input)).tensor();
        evidence.finite = !tensor::first_non_finite(*evidence.output);
    } catch (const nn::RmsNormError& error) {
        evidence.rejection = ZeroRejection{std::string(case_name(error)), error.what()};
    }
    evidence.checks.push_back(zero_check(evidence));
    return evidence;
}

Check zero_check(const Zero& evidence) {
    if (evidence.epsilon == 0) {
        const bool rejected = evidence.rejection && evidence.rejection->error == "ZeroEnergyRow";
        return at_most("zero-row", "with epsilon zero an all-zero row is rejected",
                       rejected ? 0 : 1, 0);
    }
    double largest = 0;
    if (evidence.output) {
        for (const double value : evidence.output->values()) {
            // A NaN is the largest, and no later value takes its place.
            if (std::isnan(largest)) break;
            if (!(std::fabs(value) <= largest)) largest = std::fabs(value);
        }
    }
    return at_most("zero-row", "with a positive epsilon an all-zero row stays all zero",
                   evidence.output && std::isfinite(largest) ? largest : 1, 0);
}

Record results(const Zero& evidence) {
    const bool rejected = evidence.rejection.has_value();
    const ZeroRejection rejection = evidence.rejection.value_or(ZeroRejection{"", ""});
    Record zero = Record()
                      .add("input", evidence.input)
                      .add("output", evidence.output.value_or(evidence.input),
                           rejected ? Presence::absent : Presence::present)
                      .add("finite", evidence.finite)
                      .add("rejection",
                           Record().add("error", rejection.error).add("message", rejection.message),
                           rejected ? Presence::present : Presence::absent);
    return Record().add("zero", std::move(zero));
}

Record zero_record(const Zero& evidence) {
    return Record()
        .add("input", evidence.input)
        .add("output", *evidence.output)
        .add("finite", evidence.finite);
}

std::string text(const Zero& e, Extent extent) {
    if (e.rejection) {
        return Lines()
            .line("zero_input")
            .part("rejected", "true")
            .part("error", e.rejection->error)
            .part("message", e.rejection->message)
            .str();
    }
    return Lines(extent)
        .line("zero_input")
        .part("output", *e.output)
        .part("finite", truth_text(e.finite))
        .str();
}

}  // namespace rmsnorm::experiments
