#include "judge/unknown.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "judge/coincidence.hpp"
#include "judge/estimates.hpp"
#include "judge/parts.hpp"
#include "judge/quoted.hpp"

namespace rmsnorm::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr const char* as_imprecise =
    "or something as imprecise, since the values are none of that format";

// What added to an element of the row gives the output, to within the roundings of both.
numeric::Interval added(const Tensors& tensors, double exact, double output, double relative) {
    const NumberFormat format = tensors.formats.output;
    const double ulp = numeric::ulp(format, std::max(std::fabs(exact), std::fabs(output)));
    const double slack = std::fabs(exact) * relative + 1.6 * ulp;
    return {output - exact - slack, output - exact + slack};
}

std::size_t not_zero(const std::vector<numeric::Interval>& columns) {
    return static_cast<std::size_t>(
        std::count_if(columns.begin(), columns.end(),
                      [](const numeric::Interval& c) { return c.low > 0 || c.high < 0; }));
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
    } else if (rows.size() < 2 || 2 * not_zero(columns) <= n) {
        // With a number a column one row fits anything, and a few units in the last place are no
        // bias.
        return std::nullopt;
    } else {
        bias.detail = "to each column its own; to column 0 " +
                      quoted(columns[0].low + (columns[0].high - columns[0].low) / 2, 4);
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

std::optional<RowFactors> factors_of_rows(const Tensors& tensors, const RightTest& right) {
    const std::vector<Row> rows = ordinary_sample(tensors);
    for (std::size_t form = 0; form < right.forms() && !rows.empty(); ++form) {
        numeric::Interval factors{infinity, -infinity};
        numeric::Interval common{0, infinity};
        bool too_small = false;
        bool too_large = false;
        const bool fits = std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
            const std::optional<Scale> scale = right.scale(row.input);
            const ScaleInterval measured = right.measured(form, row);
            if (!scale || measured.empty() || std::isinf(measured.high.high)) return false;
            factors.low = std::min(factors.low, measured.low.high / scale->exact.high);
            factors.high = std::max(factors.high, measured.high.high / scale->exact.high);
            const ScaleInterval bound = scale->interval();
            too_small = too_small || measured.high < bound.low;
            too_large = too_large || measured.low > bound.high;
            common.low = std::max(common.low, measured.low.high / bound.high.high);
            common.high = std::min(common.high, measured.high.high / bound.low.high);
            return true;
        });
        if (!fits) continue;
        RowFactors result{factors, std::nullopt, rows.size(), too_small, too_large};
        if (common.low <= common.high) result.common = shortest_inside(common.low, common.high);
        return result;
    }
    return std::nullopt;
}

Explanation roundings_beyond_all_known(const Tensors& tensors) {
    return {"computed-low",
            "more roundings than any known program makes",
            {},
            {},
            tensors.formats.output};
}

Explanation as_imprecise_as(NumberFormat format) {
    return {"computed-low", as_imprecise, {}, {}, format};
}

bool is_as_imprecise(const Explanation& explanation) { return explanation.detail == as_imprecise; }

std::vector<Finding> find_roundings(const Tensors& tensors, const Catalogue& catalogue,
                                    const RightTest& right,
                                    const std::vector<std::size_t>& outside) {
    // Where one scale a row explains all of its elements, and all scales are too large, or too
    // small, it is the scale that is wrong. A few elements have one by chance.
    const std::vector<Row> sample = ordinary_sample(tensors);
    if (sample.size() * (tensors.width - 1) >= few_values) {
        const auto factors = factors_of_rows(tensors, right);
        if (factors && !(factors->too_small && factors->too_large)) return {};
    }
    const Reading reading{tensors.formats, loose_structure(tensors.formats), {}, 0};
    const auto fits = [&](const Row& row) {
        const RowTest test =
            test_row(tensors, row, catalogue.inputs[0], catalogue.gains[0], reading);
        const std::optional<Scale> scale =
            test.measured.empty() ? std::nullopt : right_scale(test.context);
        return scale && test.measured.meets(scale->interval());
    };
    const auto rows = view_of(tensors, View::plain);
    const std::vector<std::size_t> wrong = readable(*rows, outside);
    const bool all = std::all_of(sample.begin(), sample.end(), fits) &&
                     std::all_of(wrong.begin(), wrong.end(), [&](std::size_t k) {
                         Row row;
                         rows->read(k, row);
                         return kind_of(tensors, row) == RowKind::ordinary && fits(row);
                     });
    if (!all) return {};
    Finding finding;
    finding.explanations.push_back(roundings_beyond_all_known(tensors));
    finding.cost = 1.9;
    return {finding};
}

}  // namespace rmsnorm::judge
