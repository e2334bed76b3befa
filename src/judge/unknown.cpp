#include "judge/unknown.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "evidence/number_text.hpp"
#include "judge/estimates.hpp"
#include "judge/parts.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What added to an element of the row gives the output, to within the roundings of both.
numeric::Interval added(const Tensors& tensors, double exact, double output, double relative) {
    const NumberFormat format = tensors.formats.output;
    const double ulp = numeric::ulp(format, std::max(std::fabs(exact), std::fabs(output)));
    const double slack = std::fabs(exact) * relative + 1.6 * ulp;
    return {output - exact - slack, output - exact + slack};
}

std::optional<Finding> bias_with(const Tensors& tensors, const InputReplacement& input,
                                 const GainReplacement& gain, const std::vector<Row>& rows) {
    const std::size_t n = tensors.width;
    std::vector<numeric::Interval> columns(n, {-infinity, infinity});
    for (const Row& row : rows) {
        const ReplacedInput replaced = input.apply(row, tensors);
        const std::vector<double> gains = gain.apply(row, tensors);
        ScaleContext context;
        context.epsilon = tensors.epsilon;
        context.arithmetic = tensors.formats.arithmetic();
        context.statistics = row_statistics(replaced.values, gains, context.arithmetic);
        const std::optional<Scale> scale = right_scale(context);
        if (!scale) return std::nullopt;
        const double u = numeric::unit_roundoff(context.arithmetic);
        for (std::size_t i = 0; i < n; ++i) {
            if (!std::isfinite(row.output[i])) return std::nullopt;
            const double exact = gains[i] * replaced.values[i] * scale->exact.high;
            double relative = std::max(scale->below, scale->above) + replaced.scale_error + 12 * u;
            if (tensors.formats.rounds_output())
                relative += numeric::unit_roundoff(tensors.formats.output);
            if (!replaced.relative_error.empty()) relative += replaced.relative_error[i];
            const numeric::Interval interval = added(tensors, exact, row.output[i], relative);
            columns[i].low = std::max(columns[i].low, interval.low);
            columns[i].high = std::min(columns[i].high, interval.high);
            if (columns[i].low > columns[i].high) return std::nullopt;
        }
    }
    numeric::Interval common{-infinity, infinity};
    for (const numeric::Interval& column : columns) {
        common.low = std::max(common.low, column.low);
        common.high = std::min(common.high, column.high);
    }
    Explanation bias{"bias-added", "", {}, {}, {}};
    if (common.low <= common.high) {
        if (common.low <= 0 && common.high >= 0) return std::nullopt;
        const bool negative = common.high < 0;
        const double value = negative ? -shortest_inside(-common.high, -common.low)
                                      : shortest_inside(common.low, common.high);
        bias.detail = "the same to every element";
        bias.value = value;
    } else if (rows.size() < 2) {
        return std::nullopt;  // with a number a column one row fits anything
    } else {
        bias.detail = "to each column its own; to column 0 " +
                      numeric::shortest(columns[0].low + (columns[0].high - columns[0].low) / 2, 4);
    }
    Finding finding;
    if (input.explanation) finding.explanations.push_back(*input.explanation);
    finding.explanations.push_back(bias);
    finding.rows = rows.size();
    finding.cost = 1.8;
    return finding;
}

}  // namespace

std::vector<Finding> find_bias(const Tensors& tensors, const Catalogue& catalogue) {
    const std::vector<Row> rows = ordinary_sample(tensors);
    if (rows.empty()) return {};
    for (const InputReplacement& input : catalogue.inputs) {
        if (input.explanation && input.explanation->id != "mean-subtracted") continue;
        if (input.keeps_statistics) continue;
        if (const auto finding = bias_with(tensors, input, catalogue.gains[0], rows))
            return {*finding};
    }
    return {};
}

std::vector<Finding> find_roundings(const Tensors& tensors, const Catalogue& catalogue) {
    const Structure loose = loose_structure(tensors.formats);
    const Reading reading{tensors.formats, loose, {}, 0};
    for (const Row& row : ordinary_sample(tensors)) {
        const RowTest test =
            test_row(tensors, row, catalogue.inputs[0], catalogue.gains[0], reading);
        const std::optional<Scale> scale =
            test.measured.empty() ? std::nullopt : right_scale(test.context);
        if (!scale || !test.measured.meets(scale->interval())) return {};
    }
    Finding finding;
    finding.explanations.push_back({"computed-low",
                                    "more roundings than any known program makes",
                                    {},
                                    {},
                                    tensors.formats.output});
    finding.cost = 1.9;
    return {finding};
}

void add_facts(const Tensors& tensors, const RightTest& right,
               const std::vector<std::size_t>& outside, std::vector<Fact>& facts) {
    facts.push_back({std::to_string(outside.size()) + " of " +
                     evidence::counted(tensors.rows, "row") +
                     (outside.size() == 1 ? " is" : " are") +
                     " outside the bound: " + index_set(outside, tensors.rows)});
    double least = infinity;
    double most = -infinity;
    bool constant_rows = true;
    std::vector<numeric::Interval> columns(tensors.width, {infinity, -infinity});
    const std::vector<Row> rows = ordinary_sample(tensors);
    for (const Row& row : rows) {
        const std::optional<Scale> scale = right.scale(row.input);
        if (!scale) continue;
        numeric::Interval of_row{infinity, -infinity};
        for (std::size_t i = 0; i < tensors.width; ++i) {
            const double exact = right.gain()[i] * row.input[i] * scale->exact.high;
            const double ratio = row.output[i] / exact;
            if (exact == 0 || !std::isfinite(ratio)) continue;
            of_row = {std::min(of_row.low, ratio), std::max(of_row.high, ratio)};
            columns[i] = {std::min(columns[i].low, ratio), std::max(columns[i].high, ratio)};
        }
        if (of_row.low > of_row.high) continue;
        least = std::min(least, of_row.low);
        most = std::max(most, of_row.high);
        constant_rows = constant_rows && of_row.high - of_row.low <= 0.02 * std::fabs(of_row.high);
    }
    if (least > most) return;
    const auto text = [](double value) { return numeric::shortest(value, 4); };
    facts.push_back({"output over exact result is between " + text(least) + " and " + text(most)});
    if (constant_rows) facts.push_back({"within a row that ratio is the same to 2 percent"});
    const bool constant_columns =
        rows.size() > 1 &&
        std::all_of(columns.begin(), columns.end(), [](const numeric::Interval& c) {
            return c.low > c.high || c.high - c.low <= 0.02 * std::fabs(c.high);
        });
    if (constant_columns) {
        facts.push_back(
            {"each column has a ratio of its own, the same in all rows to 2 percent: "
             "another gain; column 0 has " +
             text(columns[0].low)});
    }
}

}  // namespace rmsnorm::judge
