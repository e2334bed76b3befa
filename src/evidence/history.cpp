#include "evidence/history.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "evidence/layer_case.hpp"
#include "evidence/layer_checks.hpp"
#include "evidence/replay.hpp"
#include "evidence/rows.hpp"
#include "nn/normalization.hpp"

namespace rmsnorm::evidence {
namespace {

Array figures(const std::vector<tensor::Tensor>& tensors) {
    Array items;
    for (const tensor::Tensor& tensor : tensors) items.items.push_back(tensor);
    return items;
}

// The deviations of the anchor from its mean, and what the rounding of LayerNorm's own mean, a
// plain sum, is in parts of its standard deviation.
struct Deviations {
    std::vector<double> values;
    double epsilon;
    double mean_error;
};

Deviations deviations_of(const History& evidence) {
    const auto width = static_cast<double>(evidence.anchor.size());
    CompensatedSum sum;
    CompensatedSum magnitudes;
    for (const double value : evidence.anchor.values()) {
        sum.add(value);
        magnitudes.add(std::fabs(value));
    }
    const double mean = sum.value() / width;
    Deviations deviations{{}, evidence.epsilon, 0};
    bool constant = evidence.epsilon == 0;
    for (const double value : evidence.anchor.values()) {
        deviations.values.push_back(value - mean);
        constant = constant && value == mean;
    }
    if (constant) return deviations;
    const ScaledRow scaled = scaled_row(deviations.values, evidence.epsilon);
    deviations.mean_error = (width + 4) * unit_roundoff *
                            std::scalbn(magnitudes.value() / width, -scaled.exponent) /
                            std::sqrt(scaled.stabilized);
    return deviations;
}

Check layer_norm_mean(const History& evidence) {
    const auto width = static_cast<double>(evidence.anchor.size());
    CompensatedSum sum;
    for (const double value : evidence.layer_norm.values()) sum.add(value);
    return at_most("layer-norm-mean", "the mean of the LayerNorm is 0",
                   std::fabs(sum.value() / width),
                   2 * deviations_of(evidence).mean_error + 8 * unit_roundoff);
}

Check layer_norm_closed_form(const History& evidence) {
    const std::string name = "layer-norm-closed-form";
    const std::string statement = "the mean square of the LayerNorm is variance/(variance+epsilon)";
    const auto width = static_cast<double>(evidence.anchor.size());
    const Deviations deviations = deviations_of(evidence);
    // With epsilon zero LayerNorm has no result for a constant row, save by its own rounding.
    if (deviations.epsilon == 0 && deviations.mean_error == 0)
        return at_most(name, statement, 0, 0);
    const ScaledRow scaled = scaled_row(deviations.values, deviations.epsilon);
    CompensatedSum squares;
    for (const double value : evidence.layer_norm.values()) squares.add(value * value);
    const double expected = scaled.mean_square / scaled.stabilized;
    const double off = deviations.mean_error;
    const double relative =
        (2 * width + 32) * unit_roundoff + 0x1p-1073 / scaled.original_stabilized();
    return at_most(name, statement, std::fabs(squares.value() / width - expected),
                   relative * expected + 4 * off * std::sqrt(expected) + 4 * off * off + 0x1p-1020);
}

Check batch_norm_closed_form(const History& evidence) {
    Worst worst;
    for (std::size_t i = 0; i < evidence.companions.size(); ++i) {
        for (std::size_t feature = 0; feature < evidence.anchor.size(); ++feature) {
            const double a = evidence.anchor[feature];
            const double c = evidence.companions[i][feature];
            const double deviation = a / 2 - c / 2;
            if (deviation == 0 && evidence.epsilon == 0) continue;
            const ScaledRow scaled = scaled_row({&deviation, 1}, evidence.epsilon);
            const double root = std::sqrt(scaled.stabilized);
            const double expected = scaled.values[0] / root;
            const double off = 2 * unit_roundoff *
                               std::scalbn(std::fabs(a) / 2 + std::fabs(c) / 2, -scaled.exponent) /
                               root;
            const double lost = 0x1p-1073 / scaled.original_stabilized();
            worst.consider(std::fabs(evidence.batch_norm[i][feature] - expected),
                           (16 * unit_roundoff + lost) * std::fabs(expected) + 2 * off + 0x1p-1020);
        }
    }
    return worst.check("batch-norm-closed-form",
                       "each feature of a BatchNorm is e/sqrt(e^2+epsilon), e half the distance "
                       "to the companion");
}

}  // namespace

History history(const tensor::Tensor& anchor, const std::vector<tensor::Tensor>& companions,
                double epsilon) {
    History evidence{.epsilon = epsilon,
                     .anchor = anchor,
                     .companions = companions,
                     .batch_norm = {},
                     .layer_norm = tensor::Tensor::vector(nn::layer_norm(anchor.values(), epsilon)),
                     .rms_norm = unit_gain_layer(anchor.size(), 0.0)
                                     .forward_with_intermediates(autodiff::Value::constant(anchor))
                                     .normalized.tensor(),
                     .rms_mean = 0,
                     .checks = {}};
    for (const tensor::Tensor& companion : companions) {
        evidence.batch_norm.push_back(
            tensor::Tensor::vector(nn::batch_norm(anchor.values(), companion.values(), epsilon)));
    }
    for (const double value : evidence.rms_norm.values()) evidence.rms_mean += value;
    evidence.rms_mean /= static_cast<double>(evidence.rms_norm.size());
    return evidence;
}

History checked_history(const tensor::Tensor& anchor, const std::vector<tensor::Tensor>& companions,
                        double epsilon) {
    History evidence = replayed([&] { return history(anchor, companions, epsilon); });
    for (Check& check : history_checks(evidence)) evidence.checks.push_back(std::move(check));
    return evidence;
}

std::vector<Check> history_checks(const History& evidence) {
    Check rms = closed_form_check(evidence.anchor, 0.0, evidence.rms_norm);
    rms.name = "rms-norm-closed-form";
    rms.statement = "the mean square of the RMSNorm is 1";
    return {std::move(rms), layer_norm_mean(evidence), layer_norm_closed_form(evidence),
            batch_norm_closed_form(evidence)};
}

Record inputs(const History& evidence) {
    return Record()
        .add("anchor", evidence.anchor)
        .add("companions", figures(evidence.companions))
        .add("epsilon", setting(evidence.epsilon));
}

Record results(const History& evidence) {
    return Record().add("history", history_record(evidence));
}

Record history_record(const History& evidence) {
    return Record()
        .add("anchor", evidence.anchor)
        .add("companions", figures(evidence.companions))
        .add("batch_norm", figures(evidence.batch_norm))
        .add("layer_norm", evidence.layer_norm)
        .add("rms_norm", evidence.rms_norm)
        .add("rms_mean", evidence.rms_mean);
}

}  // namespace rmsnorm::evidence
