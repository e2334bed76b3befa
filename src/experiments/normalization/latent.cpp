#include "experiments/normalization/latent.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/log_plot.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/seeded_weights.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

constexpr std::array<float, 7> factors{1e-3F, 1e-2F, 1e-1F, 1, 10, 100, 1000};

struct Weights {
    Vector down;  // [rank, width]
    Vector up;    // [width, rank]
};

Weights weights(const LatentInputs& c) {
    SeededWeights generator(c.seed);
    Vector down = generator.matrix(c.rank, c.input.size(), c.spread);
    return {std::move(down), generator.matrix(c.input.size(), c.rank, c.spread)};
}

Vector scaled(const Vector& input, float factor) {
    Vector result;
    for (const float value : input) result.push_back(value * factor);
    return result;
}

double finite_magnitude(const Vector& values) {
    const double result = magnitude(values);
    nn::require_finite("The latent experiment", 0, result);
    return result;
}

LatentRow row(const LatentInputs& c, const Weights& w, float factor) {
    const Vector latent = product(w.down, scaled(c.input, factor));
    const auto normalized = plain_rms_norm(latent, c.epsilon);
    return {factor, finite_magnitude(latent), finite_magnitude(product(w.up, latent)),
            finite_magnitude(product(w.up, normalized.output)), normalized.inverse_rms};
}

// For each row of the matrix, the sum of |weight * input|.
std::vector<double> absolute_product(const Vector& matrix, const std::vector<double>& input) {
    std::vector<double> sums;
    for (std::size_t start = 0; start < matrix.size(); start += input.size()) {
        double sum = 0;
        for (std::size_t j = 0; j < input.size(); ++j) {
            sum += std::fabs(static_cast<double>(matrix[start + j]) * input[j]);
        }
        sums.push_back(sum);
    }
    return sums;
}

double root_mean_square64(const std::vector<double>& values) {
    return std::sqrt(nn::mean_square<double, double>(values));
}

}  // namespace

std::vector<Input> LatentInputs::declared() {
    return {
        {"input",
         &input,
         "the vector to compress",
         {.shown_default = "1,-1,1,... of width 64", .most_elements = widest, .decimals = {{1}}}},
        {"rank", &rank, "the width of the latent", {.least = 1, .most = 512}},
        seed_input(seed),
        spread_input(spread),
        epsilon_input(epsilon)};
}

Latent latent(const LatentInputs& inputs) {
    nn::require_vector("The latent experiment", inputs.input.size(),
                       static_cast<double>(inputs.epsilon));
    const Weights w = weights(inputs);
    Latent evidence{inputs, {}, 0, 0, 0, 0, {}};
    for (const float factor : factors) evidence.rows.push_back(row(inputs, w, factor));
    const LatentRow& first = evidence.rows.front();
    const LatentRow& last = evidence.rows.back();
    const auto growth = [](double from, double to) { return from == 0 ? 0 : to / from; };
    evidence.plain_growth = growth(first.plain_output, last.plain_output);
    evidence.normalized_growth = growth(first.normalized_output, last.normalized_output);
    evidence.up_terms =
        root_mean_square64(absolute_product(w.up, widened(product(w.down, inputs.input))));
    evidence.down_terms =
        root_mean_square64(absolute_product(w.up, absolute_product(w.down, widened(inputs.input))));
    evidence.checks = latent_checks(evidence);
    return evidence;
}

Record results(const Latent& evidence) {
    return Record().add(
        "latent",
        Record()
            .add("width", evidence.inputs.input.size())
            .add("rank", evidence.inputs.rank)
            .add("seed", evidence.inputs.seed)
            .add("rows", array_of(evidence.rows,
                                  [](const LatentRow& row) {
                                      return Record()
                                          .add("factor", figure(row.factor, {3}))
                                          .add("latent", figure64(row.latent, {6}))
                                          .add("plain_output", figure64(row.plain_output, {6}))
                                          .add("normalized_output",
                                               figure64(row.normalized_output, {6}))
                                          .add("inverse_rms", figure(row.inverse_rms, {6}));
                                  }))
            .add("plain_growth", figure64(evidence.plain_growth, {6}))
            .add("normalized_growth", figure64(evidence.normalized_growth, {6})));
}

std::string text(const Latent& evidence, Extent extent) {
    const Record results_of_run = results(evidence);
    const Record& record = record_field(results_of_run, "latent");
    Lines lines(extent);
    lines.line("latent");
    for (const char* key : {"width", "rank", "plain_growth", "normalized_growth"}) {
        lines.part(key, datum_text(field(record, key), extent));
    }
    std::string text = lines.str();
    for (const Datum& row : array_field(record, "rows").items) {
        text += record_line("latent_row", std::get<Record>(row.value), extent);
    }
    std::vector<std::string> labels;
    PlotSeries plain{'o', "plain", {}};
    PlotSeries normalized{'+', "normalized", {}};
    for (const LatentRow& row : evidence.rows) {
        labels.push_back(scalar_text(static_cast<double>(row.factor), {3}));
        plain.values.push_back(row.plain_output);
        normalized.values.push_back(row.normalized_output);
    }
    return text + log_plot("output magnitude by the input's factor", labels, {plain, normalized});
}

std::vector<Check> latent_checks(const Latent& evidence) {
    const auto base = std::find_if(evidence.rows.begin(), evidence.rows.end(),
                                   [](const LatentRow& row) { return row.factor == 1; });
    // A product, and a sum that is rounded, may lose 2^-150 below the normal numbers, which the
    // weights that come after multiply: at first in the scaled input, then in the latent, then in
    // the output, in units of 2^-24.
    const auto width = static_cast<double>(evidence.inputs.input.size());
    const auto rank = static_cast<double>(evidence.inputs.rank);
    const auto spread = static_cast<double>(evidence.inputs.spread);
    const double lost = 0x1p-126;
    const double after_up = rank * spread * lost + (rank + 1) * lost;
    const double after_down = rank * spread * (width * spread + width + 1) * lost + after_up;
    double worst_factor = 0;
    double worst_norm = 0;
    for (const LatentRow& row : evidence.rows) {
        const auto factor = static_cast<double>(row.factor);
        const auto inverse = static_cast<double>(row.inverse_rms);
        const double factor_terms = factor * evidence.down_terms + (1 + factor) * after_down;
        const double norm_terms =
            inverse * (factor * (evidence.up_terms + 8 * binary32_unit * evidence.down_terms) +
                       (1 + factor) * after_down) +
            after_up;
        const double by_factor = std::fabs(row.plain_output - factor * base->plain_output) /
                                 (binary32_unit * factor_terms);
        const double by_norm = std::fabs(row.normalized_output - inverse * row.plain_output) /
                               (binary32_unit * norm_terms);
        worst_factor = worse(worst_factor, by_factor);
        worst_norm = worse(worst_norm, by_norm);
    }
    // In units of the terms: the factor's product, and a product and a rounded sum a projection,
    // five with the factor and four without. The norm: its product, a product and a sum, and two
    // for the plain way; its terms are known at factor 1 only, which is off by the other error. The
    // rest is for second order.
    return {at_most("plain-follows",
                    "without the norm the output's magnitude follows the factor, in units of "
                    "2^-24 of its terms",
                    worst_factor, 12),
            at_most("normalized-output",
                    "with the norm the output's magnitude is the plain one times the inverse RMS, "
                    "in units of 2^-24 of its terms",
                    worst_norm, 8)};
}

}  // namespace rmsnorm::experiments::normalization
