#include "experiments/rmsnorm/history.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "evidence/layer_case.hpp"
#include "evidence/layer_checks.hpp"
#include "evidence/number_text.hpp"
#include "evidence/replay.hpp"
#include "evidence/rows.hpp"
#include "nn/normalization.hpp"

namespace rmsnorm::experiments {
namespace {

Array figures(const std::vector<tensor::Tensor>& tensors) {
    return array_of(tensors, [](const tensor::Tensor& values) { return values; });
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

std::vector<Input> HistoryInputs::declared() {
    return {{"anchor",
             &anchor,
             "the example to normalize, [d]: a list, @FILE or -",
             {.one_vector = true}},
            {"companions",
             &companions,
             "another example of its mini-batch, [d]",
             {.shown_default = "5,7 for width 2, and then the anchor itself",
              .one_vector = true,
              .option = "--companion"}},
            {"epsilon",
             &epsilon,
             "added to the variances of BatchNorm and LayerNorm, RMSNorm runs without; 0 or more",
             {.range = Range::nonnegative}}};
}

void HistoryInputs::complete(const Given& given) {
    if (!given("companions")) {
        companions = {anchor};
        const tensor::Tensor first = chapter_values::companions().front();
        if (first.size() == anchor.size()) companions.insert(companions.begin(), first);
    }
    for (const tensor::Tensor& companion : companions) {
        if (companion.size() == anchor.size()) continue;
        throw InputRejection({"companions"}, "found " + counted(companion.size(), "value"),
                             "as many as the anchor has, " + std::to_string(anchor.size()));
    }
}

History history(const HistoryInputs& inputs) {
    const auto& [anchor, companions, epsilon] = inputs;
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

History checked_history(const HistoryInputs& inputs) {
    try {
        History evidence = replayed([&] { return history(inputs); });
        for (Check& check : history_checks(evidence)) evidence.checks.push_back(std::move(check));
        return evidence;
    } catch (const nn::RmsNormError& error) {
        throw InputRejection(
            {"anchor"},
            std::string("with epsilon zero, which RMSNorm has here whatever --epsilon is: ") +
                error.what(),
            "an anchor whose squares are finite and not all zero");
    } catch (const nn::NormalizationError& error) {
        throw InputRejection({"anchor", "companions"}, error.what(),
                             "finite variances, and with --epsilon 0 none that is zero");
    }
}

std::vector<Check> history_checks(const History& evidence) {
    Check rms = closed_form_check(evidence.anchor, 0.0, evidence.rms_norm);
    rms.name = "rms-norm-closed-form";
    rms.statement = "the mean square of the RMSNorm is 1";
    return {std::move(rms), layer_norm_mean(evidence), layer_norm_closed_form(evidence),
            batch_norm_closed_form(evidence)};
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

std::string text(const History& e, Extent extent) {
    Lines lines(extent);
    lines.line("history");
    // The chapter has two companions, a and b.
    for (std::size_t i = 0; i < e.batch_norm.size(); ++i) {
        const std::string letter(1, static_cast<char>('a' + i % 26));
        lines.part("batch_anchor_" + letter + (i < 26 ? "" : std::to_string(i / 26)),
                   e.batch_norm[i]);
    }
    return lines.part("layer_norm", e.layer_norm)
        .part("rms_norm", e.rms_norm)
        .part("rms_mean", e.rms_mean)
        .str();
}

}  // namespace rmsnorm::experiments
