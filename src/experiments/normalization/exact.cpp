#include "experiments/normalization/exact.hpp"

#include <algorithm>
#include <string>

#include "experiments/normalization/exact_parts.hpp"
#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {

using namespace exact_parts;

namespace {

// The variance from width * (x - mean), which is exactly zero where all values are equal.
nn::Moments<Enclosure> exact_moments(const Reals& values) {
    const nn::RealNorm norm = nn::real_layer_norm(values, Enclosure(1));
    return {norm.mean, norm.variance};
}

void add_statistics(ExactFigures& figures, const std::string& path, const VectorStatistics& s) {
    const Reals values = reals(s.input, figures.bits());
    const Row32 rounded = exact_row(s.input);
    const nn::Moments<Enclosure> exact = exact_moments(values);
    const auto bounds = nn::moments<Rounded64, Rounded32>(rounded);
    const auto [least, most] = std::minmax_element(s.input.begin(), s.input.end());
    const Enclosure range = real(*most, figures.bits()) - real(*least, figures.bits());
    const Rounded32 rounded_range = number(*most) - number(*least);
    const Enclosure deviation = sqrt(exact.variance);
    const Rounded32 rounded_deviation = sqrt(bounds.variance);
    figures.add(path + "mean", exact.mean, bounds.mean.error());
    figures.add(path + "variance", exact.variance, bounds.variance.error());
    figures.add(path + "standard_deviation", deviation, rounded_deviation.error());
    figures.add(path + "range", range, rounded_range.error());
    if (exact.variance.is_zero() && s.span == 0) {
        figures.given(path + "span", 0);
    } else {
        figures.add(path + "span", range / deviation,
                    (Rounded64(rounded_range) / Rounded64(rounded_deviation)).error());
    }
}

// The root of the mean of binary32 squares, in binary64.
Rounded64 rounded_rms(const Row32& values) {
    Rounded64 sum(0);
    for (const Rounded32& value : values) sum = sum + Rounded64(value * value);
    return sqrt(sum / Rounded64(static_cast<double>(values.size())));
}

}  // namespace

ExactFigures exact_figures(const Stats& e, int bits) {
    ExactFigures figures(bits);
    add_statistics(figures, "stats/a/", e.a);
    add_statistics(figures, "stats/b/", e.b);
    return figures;
}

ExactFigures exact_figures(const LayerNorm& e, int bits) {
    ExactFigures figures(bits);
    const Vector& input = e.inputs.input;
    const Vector& gamma = e.inputs.gamma;
    const Vector& beta = e.inputs.beta;
    const float epsilon = e.inputs.epsilon;
    const nn::RealNorm norm = nn::real_layer_norm(reals(input, bits), real(epsilon, bits));
    const auto rounded = nn::layer_norm<Rounded64, Rounded32>(exact_row(input), exact_row(gamma),
                                                              exact_row(beta), number(epsilon));
    // With a beta of zero the mean of the numerators decides whether the output's mean is zero.
    const Reals gained = nn::products(norm.numerators, reals(gamma, bits));
    const Reals shift = reals(beta, bits);
    const Reals output = nn::sums(nn::multiplied(gained, norm.factor), shift);
    const auto bounds = nn::moments<Rounded64, Rounded32>(rounded.output);
    figures.given("layer_norm/input", widened(input));
    figures.add("layer_norm/output", output, numeric::errors(rounded.output));
    figures.add("layer_norm/output_mean", nn::mean(gained) * norm.factor + nn::mean(shift),
                bounds.mean.error());
    figures.add("layer_norm/output_variance", exact_moments(output).variance,
                bounds.variance.error());
    figures.add("layer_norm/mean", norm.mean, rounded.mean.error());
    figures.add("layer_norm/variance", norm.variance, rounded.variance.error());
    figures.add("layer_norm/inverse_standard_deviation", norm.inverse,
                rounded.inverse_standard_deviation.error());
    return figures;
}

ExactFigures exact_figures(const RmsNorm& e, int bits) {
    ExactFigures figures(bits);
    const Vector& input = e.inputs.input;
    const Vector& gamma = e.inputs.gamma;
    const float epsilon = e.inputs.epsilon;
    const nn::RealNorm norm = nn::real_rms_norm(reals(input, bits), real(epsilon, bits));
    const auto rounded =
        nn::rms_norm<Rounded64, Rounded32>(exact_row(input), exact_row(gamma), number(epsilon));
    const Reals gained = nn::products(norm.numerators, reals(gamma, bits));
    figures.given("rms_norm/input", widened(input));
    figures.add("rms_norm/output", nn::multiplied(gained, norm.factor),
                numeric::errors(rounded.output));
    figures.add("rms_norm/output_rms", nn::real_magnitude(gained) * norm.factor,
                rounded_rms(rounded.output).error());
    figures.add("rms_norm/mean_square", norm.variance, rounded.mean_square.error());
    figures.add("rms_norm/inverse_rms", norm.inverse, rounded.inverse_rms.error());
    return figures;
}

ExactFigures exact_figures(const Compare& e, int bits) {
    ExactFigures figures(bits);
    for (const Comparison& comparison : e.comparisons) {
        const std::string path = "compare/" + comparison.name + "/";
        const Reals input = reals(comparison.input, bits);
        const nn::RealNorm layer = nn::real_layer_norm(input, real(e.epsilon, bits));
        const nn::RealNorm rms = nn::real_rms_norm(input, real(e.epsilon, bits));
        const auto rounded_layer = plain_layer_norm(exact_row(comparison.input), e.epsilon);
        const auto rounded_rms = plain_rms_norm(exact_row(comparison.input), e.epsilon);
        figures.given(path + "input", widened(comparison.input));
        figures.add(path + "layer_norm", layer.normalized(), numeric::errors(rounded_layer.output));
        figures.add(path + "rms_norm", rms.normalized(), numeric::errors(rounded_rms.output));
        figures.add(path + "mean", layer.mean, rounded_layer.mean.error());
        // Without a mean the two norms are one.
        figures.add(path + "largest_difference",
                    layer.mean.is_zero()
                        ? layer.mean
                        : nn::largest_difference(layer.normalized(), rms.normalized()),
                    nn::largest_difference_bound(rounded_layer.output, rounded_rms.output));
    }
    return figures;
}

ExactFigures exact_figures(const Constant& e, int bits) {
    ExactFigures figures(bits);
    const Vector input(e.inputs.width, e.inputs.value);
    figures.given("constant/input", widened(input));
    for (std::size_t k = 0; k < e.outcomes.size(); ++k) {
        const ConstantOutcome& outcome = e.outcomes[k];
        const std::string path = "constant/outcomes/" + std::to_string(k) + "/";
        figures.given(path + "epsilon", static_cast<double>(outcome.epsilon));
        if (outcome.rejected) continue;
        const Reals values = reals(input, bits);
        const Enclosure epsilon = real(outcome.epsilon, bits);
        const bool centered = outcome.norm == "layer-norm";
        figures.add(
            path + "output",
            (centered ? nn::real_layer_norm(values, epsilon) : nn::real_rms_norm(values, epsilon))
                .normalized(),
            numeric::errors(centered ? plain_layer_norm(exact_row(input), outcome.epsilon).output
                                     : plain_rms_norm(exact_row(input), outcome.epsilon).output));
    }
    return figures;
}

ExactFigures exact_figures(const Drift& e, int bits) {
    ExactFigures figures(bits);
    const Enclosure factor(e.inputs.factor, bits);
    Enclosure growth(1, bits);
    Rounded64 rounded(1);
    for (std::size_t layer = 0; layer < e.inputs.layers; ++layer) {
        growth = growth * factor;
        rounded = rounded * Rounded64(e.inputs.factor);
    }
    figures.add("growth", growth, rounded.error());
    return figures;
}

ExactFigures exact_figures(const Cost& e, int bits) {
    ExactFigures figures(bits);
    const auto operations = [](const NormCost& cost) {
        return static_cast<double>(total(cost.counts));
    };
    const double layer = operations(e.layer_norm);
    const double rms = operations(e.rms_norm);
    figures.add("cost/ratio", Enclosure(layer, bits) / Enclosure(rms, bits),
                (Rounded64(layer) / Rounded64(rms)).error());
    return figures;
}

}  // namespace rmsnorm::experiments::normalization
