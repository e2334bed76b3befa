#include "experiments/exhibit/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "evidence/number_text.hpp"
#include "nn/normalization.hpp"
#include "nn/vector_norm.hpp"
#include "numeric/bits.hpp"
#include "numeric/summation.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::experiments {
namespace {

using tensor::Tensor;

constexpr double unit_roundoff = 0x1p-53;

Tensor transformed(const ComparisonInputs& inputs) {
    Tensor vector = inputs.input;
    for (std::size_t i = 0; i < vector.size(); ++i) {
        vector[i] = inputs.scale * vector[i] + inputs.offset;
        if (!std::isfinite(vector[i])) throw CompareError(NonFiniteTransformed{i, vector[i]});
    }
    return vector;
}

Tensor with_gain(const char* norm, Tensor normalized, const Tensor& gain) {
    for (std::size_t i = 0; i < normalized.size(); ++i) {
        normalized[i] *= gain[i];
        if (!std::isfinite(normalized[i])) {
            throw CompareError(NonFiniteOutput{norm, i, normalized[i]});
        }
    }
    return normalized;
}

double mean(const Tensor& tensor) {
    return numeric::sum_ascending(tensor.values()) / static_cast<double>(tensor.size());
}

Tensor centered(Tensor vector, double center) {
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= center;
    return vector;
}

Tensor absolute(Tensor vector) {
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = std::abs(vector[i]);
    return vector;
}

Tensor squared(Tensor vector) {
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] *= vector[i];
    return vector;
}

MeanByOrder mean_by_order(const Tensor& tensor) {
    const auto width = static_cast<double>(tensor.size());
    return {numeric::sum_ascending(tensor.values()) / width,
            numeric::sum_pairwise(tensor.values()) / width,
            numeric::sum_two_lanes(tensor.values()) / width};
}

Agreement agreement(const Tensor& layer_norm, const Tensor& rms_norm, const Comparison& of) {
    if (std::equal(layer_norm.values().begin(), layer_norm.values().end(),
                   rms_norm.values().begin(),
                   [](double a, double b) { return numeric::same_bits(a, b); })) {
        return Agreement::same_bits;
    }
    return std::abs(of.mean) <= of.mean_uncertainty ? Agreement::within_rounding : Agreement::none;
}

bool all_equal(const Tensor& tensor) {
    return std::all_of(tensor.values().begin(), tensor.values().end(),
                       [&](double value) { return value == tensor[0]; });
}

Record record(const MeanByOrder& mean) {
    const auto figure = [](double value) { return Scalar{value, difference_decimals(value)}; };
    return Record()
        .add("ascending", figure(mean.ascending))
        .add("pairwise", figure(mean.pairwise))
        .add("two_lanes", figure(mean.two_lanes));
}

std::string message(const GainWidthMismatch& e) {
    return "gain: found " + counted(e.gain, "value") + "; accepted: the input's " +
           std::to_string(e.input);
}

std::string message(const NonFiniteTransformed& e) {
    return "scale * input + offset of feature " + std::to_string(e.feature) +
           " is not finite: " + numeric::shortest(e.value);
}

std::string message(const NonFiniteOutput& e) {
    return e.norm + " of feature " + std::to_string(e.feature) +
           " times its gain is not finite: " + numeric::shortest(e.value);
}

}  // namespace

std::vector<Input> ComparisonInputs::declared() {
    constexpr std::size_t most_features = 4096;
    return {{"input",
             &input,
             "the vector, 1 to 4096 numbers: a list, @FILE or -",
             {.most_elements = most_features, .one_vector = true}},
            {"offset", &offset, "added to every feature after the scaling"},
            {"scale", &scale, "a factor for every feature, before the offset"},
            {"epsilon",
             &epsilon,
             "added to the variance and to the mean square; 0 or more",
             {.range = Range::nonnegative}},
            {"gain",
             &gain,
             "factors for the normalized features, one for each",
             {.shown_default = "ones", .most_elements = most_features, .one_vector = true}}};
}

void ComparisonInputs::complete(const Given& given) {
    if (!given("gain")) gain = Tensor::filled(input.shape(), 1);
    if (gain.size() == input.size()) return;
    throw InputRejection({"gain"}, "found " + counted(gain.size(), "value"),
                         "as many as the input has, " + std::to_string(input.size()));
}

Comparison comparison(const ComparisonInputs& inputs) {
    if (inputs.gain.size() != inputs.input.size()) {
        throw CompareError(GainWidthMismatch{inputs.input.size(), inputs.gain.size()});
    }
    const Tensor vector = transformed(inputs);
    // Their mean may round to a neighbour of them, and the rounding would pass for a variance.
    if (inputs.epsilon == 0 && all_equal(vector)) nn::require_variance("LayerNorm", 0);
    const Tensor layer_norm = Tensor::vector(nn::layer_norm(vector.values(), inputs.epsilon));
    const Tensor rms_norm = Tensor::vector(nn::rms_norm(vector.values(), inputs.epsilon));
    Comparison evidence{.inputs = inputs,
                        .vector = vector,
                        .mean = mean(vector),
                        .mean_uncertainty = static_cast<double>(vector.size()) * unit_roundoff *
                                            mean(absolute(vector)),
                        .variance = 0,
                        .mean_square = mean(squared(vector)),
                        .layer_norm = with_gain("LayerNorm", layer_norm, inputs.gain),
                        .rms_norm = with_gain("RMSNorm", rms_norm, inputs.gain),
                        .layer_norm_mean = {},
                        .rms_norm_mean = {},
                        .max_abs_diff = largest_difference(layer_norm, rms_norm),
                        .agreement = Agreement::none,
                        .checks = {}};
    const Tensor deviations = centered(vector, evidence.mean);
    evidence.variance = mean(squared(deviations));
    evidence.layer_norm_mean = mean_by_order(evidence.layer_norm);
    evidence.rms_norm_mean = mean_by_order(evidence.rms_norm);
    evidence.agreement = agreement(layer_norm, rms_norm, evidence);
    evidence.checks.push_back(centering_check(
        layer_norm, Tensor::vector(nn::rms_norm(deviations.values(), inputs.epsilon))));
    return evidence;
}

Comparison explained_comparison(const ComparisonInputs& inputs) {
    try {
        return comparison(inputs);
    } catch (const CompareError& error) {
        const bool output = std::holds_alternative<NonFiniteOutput>(error.rejection());
        throw InputRejection(output ? std::vector<std::string>{"gain"}
                                    : std::vector<std::string>{"input", "scale", "offset"},
                             error.what(), "values that stay finite in binary64");
    } catch (const nn::NormalizationError& error) {
        const bool equal = std::holds_alternative<nn::ZeroVariance>(error.rejection());
        throw InputRejection({"input"}, error.what(),
                             equal ? "features that are not all equal, or an epsilon above 0"
                                   : "values whose squares and sums stay finite in binary64");
    }
}

Record results(const Comparison& evidence) {
    Array sentences = array_of(notes(evidence), [](const std::string& note) { return note; });
    return Record()
        .add("vector", evidence.vector)
        .add("mean", Scalar{evidence.mean, difference_decimals(evidence.mean)})
        .add("mean_uncertainty",
             Scalar{evidence.mean_uncertainty, difference_decimals(evidence.mean_uncertainty)})
        .add("variance", evidence.variance)
        .add("mean_square", evidence.mean_square)
        .add("layer_norm", evidence.layer_norm)
        .add("rms_norm", evidence.rms_norm)
        .add("layer_norm_mean", record(evidence.layer_norm_mean))
        .add("rms_norm_mean", record(evidence.rms_norm_mean))
        .add("max_abs_diff",
             Scalar{evidence.max_abs_diff, difference_decimals(evidence.max_abs_diff)})
        .add("agreement", std::string(name(evidence.agreement)))
        .add("statement", statement(evidence))
        .add("notes", std::move(sentences));
}

std::string_view name(Agreement agreement) {
    switch (agreement) {
        case Agreement::same_bits: return "same bits";
        case Agreement::within_rounding: return "within rounding";
        case Agreement::none: return "none";
    }
    return "unknown";
}

std::string statement(const Comparison& evidence) {
    const std::string mean = numeric::shortest(evidence.mean);
    switch (evidence.agreement) {
        case Agreement::same_bits:
            if (evidence.mean == 0) {
                return "LayerNorm and RMSNorm agree in every bit: the input's mean is 0, so "
                       "LayerNorm subtracts nothing";
            }
            return "LayerNorm and RMSNorm agree in every bit: subtracting the input's mean " +
                   mean + " is lost in rounding";
        case Agreement::within_rounding:
            return "LayerNorm and RMSNorm agree but for rounding: the input's mean " + mean +
                   " is no farther from 0 than its own sum may have been rounded, " +
                   numeric::shortest(evidence.mean_uncertainty);
        case Agreement::none: break;
    }
    return "LayerNorm and RMSNorm differ: the input's mean " + mean +
           " is not 0; LayerNorm subtracts it, RMSNorm keeps it";
}

std::vector<std::string> notes(const Comparison& evidence) {
    std::vector<std::string> sentences;
    const Tensor& vector = evidence.vector;
    if (all_equal(vector)) {
        const bool one = vector.size() == 1;
        std::string sentence = one ? "one feature is its own mean" : "all features are equal";
        sentence += evidence.variance == 0
                        ? ", so the variance is 0 and LayerNorm gives zeros, whatever the value; "
                        : ", so LayerNorm would give zeros; but their mean is rounded, and it "
                          "shows that rounding alone; ";
        sentence += vector[0] == 0 ? "RMSNorm gives zeros too"
                                   : "RMSNorm keeps the sign and gives nearly 1 or -1 where "
                                     "epsilon is small beside the mean square";
        sentences.push_back(std::move(sentence));
    }
    if (evidence.mean_square <= evidence.inputs.epsilon && evidence.inputs.epsilon > 0) {
        sentences.push_back(
            "epsilon is at least the mean square, so it decides how large the outputs are");
    }
    return sentences;
}

Check centering_check(const Tensor& layer_norm, const Tensor& rms_norm_of_centered) {
    return at_most("centering", "LayerNorm is RMSNorm of the vector less its mean",
                   largest_difference(layer_norm, rms_norm_of_centered), 0);
}

CompareError::CompareError(Case rejection)
    : std::runtime_error(std::visit([](const auto& e) { return message(e); }, rejection)),
      rejection_(std::move(rejection)) {}

std::string text(const Comparison& e, Extent extent) {
    const auto mean = [](Lines& lines, std::string_view line, const MeanByOrder& by) {
        lines.line(line)
            .part("ascending", by.ascending, difference_decimals(by.ascending))
            .part("pairwise", by.pairwise, difference_decimals(by.pairwise))
            .part("two_lanes", by.two_lanes, difference_decimals(by.two_lanes));
    };
    Lines lines(extent);
    lines.vector("vector", e.vector);
    lines.line("statistics")
        .part("mean", e.mean, difference_decimals(e.mean))
        .part("variance", e.variance)
        .part("mean_square", e.mean_square);
    lines.vector("layer_norm", e.layer_norm);
    lines.vector("rms_norm", e.rms_norm);
    mean(lines, "layer_norm_mean", e.layer_norm_mean);
    mean(lines, "rms_norm_mean", e.rms_norm_mean);
    lines.line("max_abs_diff")
        .text(scalar_text(e.max_abs_diff, difference_decimals(e.max_abs_diff)));
    lines.line("statement").text(statement(e));
    for (const std::string& note : notes(e)) lines.line("note").text(note);
    return lines.str();
}

}  // namespace rmsnorm::experiments
