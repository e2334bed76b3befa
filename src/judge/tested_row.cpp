// One row under a hypothesis: measured, compared, and computed.
#include <algorithm>
#include <utility>

#include "judge/estimates.hpp"
#include "judge/search.hpp"

namespace rmsnorm::judge {
namespace {

std::function<std::optional<Scale>(const ScaleContext&)> formula_of(const Catalogue& catalogue,
                                                                    const Hypothesis& h) {
    if (h.estimate != Estimate::none) {
        return [&h](const ScaleContext& context) {
            std::optional<Scale> scale = estimated_scale(h.estimate, h.explanations, context);
            if (scale) {
                scale->below += h.estimate_slack;
                scale->above += h.estimate_slack;
            }
            return scale;
        };
    }
    if (h.formula) return catalogue.formulas[*h.formula].scale;
    return right_scale;
}

std::vector<double> chosen(const std::vector<double>& values,
                           const std::vector<std::size_t>& columns) {
    std::vector<double> result;
    if (values.empty()) return result;
    for (const std::size_t column : columns) result.push_back(values[column]);
    return result;
}

}  // namespace

RowTest test_row(const Tensors& tensors, const Row& row, const InputReplacement& input,
                 const GainReplacement& gain, const Reading& reading) {
    RowTest test;
    ReplacedInput replaced = input.apply(row, tensors);
    const std::vector<double> effective =
        input.holds_gain ? std::vector<double>(row.input.size(), 1.0) : gain.apply(row, tensors);
    test.usable = replaced.usable;
    test.scale_error = replaced.scale_error;
    if (row.columns.empty()) {
        test.measured =
            measured_scale(reading.structure, reading.formats,
                           {replaced.values, effective, row.output, replaced.relative_error});
    } else {
        const auto values = chosen(replaced.values, row.columns);
        const auto gains = chosen(effective, row.columns);
        const auto output = chosen(row.output, row.columns);
        const auto errors = chosen(replaced.relative_error, row.columns);
        test.measured =
            measured_scale(reading.structure, reading.formats, {values, gains, output, errors});
    }
    if (test.measured.empty()) return test;
    // Where a flush may have made every element, a tiny scale explains what is not zero as well.
    test.usable =
        test.usable && (test.measured.low > DoubleDouble(0) ||
                        std::find(row.output.begin(), row.output.end(), 0.0) != row.output.end());
    test.context.row = row.index;
    test.context.rows = tensors.rows;
    test.context.epsilon = tensors.epsilon;
    test.context.arithmetic = tensors.formats.arithmetic();
    test.context.statistics = row_statistics(input.keeps_statistics ? row.input : replaced.values,
                                             effective, test.context.arithmetic);
    test.context.input = row.input;
    return test;
}

std::optional<Scale> scale_for(
    const RowTest& test, const std::function<std::optional<Scale>(const ScaleContext&)>& formula) {
    std::optional<Scale> scale = formula(test.context);
    if (scale) {
        scale->below += test.scale_error;
        scale->above += test.scale_error;
    }
    return scale;
}

void keep_fitting(const Tensors& tensors, const Catalogue& catalogue, const Row& row,
                  RowSquares& squares, std::vector<Hypothesis>& hypotheses) {
    const auto same_pair = [](const Hypothesis& a, const Hypothesis& b) {
        return a.input == b.input && a.gain == b.gain &&
               a.reading.structure == b.reading.structure &&
               a.reading.formats.output == b.reading.formats.output;
    };
    std::vector<Hypothesis> kept;
    const Hypothesis* measured_for = nullptr;
    RowTest test;
    for (Hypothesis& h : hypotheses) {
        if (measured_for == nullptr || !same_pair(*measured_for, h)) {
            test = test_row(tensors, row, catalogue.inputs[h.input], catalogue.gains[h.gain],
                            h.reading);
            test.context.all_rows = &squares;
            measured_for = &h;
        }
        if (test.measured.empty()) continue;
        const std::optional<Scale> scale =
            test.usable ? scale_for(test, formula_of(catalogue, h)) : std::nullopt;
        if (scale) {
            if (!test.measured.meets(scale->interval())) continue;
            ++h.rows;
            h.largest_distance =
                std::max(h.largest_distance, distance_in_bounds(test.measured, *scale));
            h.largest_roundoffs = std::max(
                h.largest_roundoffs,
                distance_in_roundoffs(test.measured, scale->exact, test.context.arithmetic));
        }
        kept.push_back(h);
    }
    hypotheses = std::move(kept);
}

namespace {

// A row as a hypothesis reads it.
struct Replaced {
    std::vector<double> input;
    std::vector<double> gain;
    std::optional<Scale> scale;
};

Replaced replaced(const Tensors& tensors, const Catalogue& catalogue, const Row& row,
                  const Hypothesis& h) {
    const InputReplacement& input = catalogue.inputs[h.input];
    Replaced result;
    result.input = input.apply(row, tensors).values;
    result.gain = input.holds_gain ? std::vector<double>(row.input.size(), 1.0)
                                   : catalogue.gains[h.gain].apply(row, tensors);
    ScaleContext context;
    context.row = row.index;
    context.rows = tensors.rows;
    context.epsilon = tensors.epsilon;
    context.arithmetic = tensors.formats.arithmetic();
    context.statistics = row_statistics(input.keeps_statistics ? row.input : result.input,
                                        result.gain, context.arithmetic);
    context.input = row.input;
    RowSquares squares(tensors);
    context.all_rows = &squares;
    result.scale = formula_of(catalogue, h)(context);
    return result;
}

double before_last_rounding(const Structure& structure, double input, double gain,
                            const Scale& scale) {
    const auto inner = [&](double value) { return numeric::round_to(structure.inner, value); };
    const double r = scale.exact.high;
    switch (structure.factoring) {
        case Factoring::once: break;
        case Factoring::value_first: return inner(input * r) * gain;
        case Factoring::gain_first: return inner(gain * r) * input;
        case Factoring::product_first: return inner(gain * input) * r;
    }
    return (product(gain, input) * scale.exact).high;
}

}  // namespace

std::optional<Scale> hypothesis_scale(const Tensors& tensors, const Catalogue& catalogue,
                                      const Row& row, const Hypothesis& h) {
    return replaced(tensors, catalogue, row, h).scale;
}

std::vector<double> simulated_output(const Tensors& tensors, const Catalogue& catalogue,
                                     const Row& row, const Hypothesis& h) {
    const auto [input, gain, scale] = replaced(tensors, catalogue, row, h);
    if (!scale) return {};
    std::vector<double> output(row.input.size());
    const NumberFormat format = h.reading.formats.output;
    for (std::size_t i = 0; i < output.size(); ++i) {
        const double value = before_last_rounding(h.reading.structure, input[i], gain[i], *scale);
        output[i] = h.reading.structure.truncated ? numeric::round_toward_zero(format, value)
                                                  : numeric::round_to(format, value);
    }
    return output;
}

}  // namespace rmsnorm::judge
