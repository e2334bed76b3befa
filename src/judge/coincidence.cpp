#include "judge/coincidence.hpp"

#include <algorithm>
#include <bitset>
#include <cmath>

namespace rmsnorm::judge {
namespace {

using Moved = std::bitset<moved_scales>;

// The relative change of a row's scale; each row changes in an order of its own.
double change(std::size_t index, std::size_t row, double range) {
    const auto step = static_cast<double>((index * (2 * row + 1) + 7 * row) % moved_scales);
    return range * ((2 * step + 1) / static_cast<double>(moved_scales) - 1);
}

struct MovedRow {
    RowTest test;
    double range = 0;
};

// Which of the moved scales a formula's interval meets.
Moved met(const MovedRow& row, std::size_t index, const Scale& scale) {
    const ScaleInterval interval = scale.interval();
    Moved moved;
    for (std::size_t i = 0; i < moved_scales; ++i) {
        const double by = change(i, index, row.range);
        const ScaleInterval there{changed_by(row.test.measured.low, by),
                                  changed_by(row.test.measured.high, by)};
        moved[i] = there.meets(interval);
    }
    return moved;
}

std::size_t by_formulas(const Catalogue& catalogue, const std::vector<MovedRow>& rows,
                        const Explanation& found) {
    const bool imprecise = is_imprecision(found);
    Moved explained;
    for (const ScaleFormula& formula : catalogue.formulas) {
        const Explanation& other = formula.explanation;
        if (formula.needs_other_rows) continue;
        if (imprecise && (!is_imprecision(other) || other.dtype != found.dtype)) continue;
        Moved all = Moved().set();
        bool told = false;
        for (std::size_t k = 0; k < rows.size() && all.any(); ++k) {
            const auto scale = scale_for(rows[k].test, formula.scale);
            if (!scale) continue;
            all &= met(rows[k], k, *scale);
            told = true;
        }
        if (told) explained |= all;
    }
    return explained.count();
}

// How many outputs that are rounded once, with a scale that is off, fit the reading.
std::size_t by_reading(const Tensors& tensors, const Catalogue& catalogue,
                       std::span<const Row> rows, const Hypothesis& h) {
    const double range = 2 * numeric::unit_roundoff(tensors.formats.output);
    Moved all = Moved().set();
    for (std::size_t k = 0; k < rows.size() && all.any(); ++k) {
        Row row = rows[k];
        const auto scale = hypothesis_scale(tensors, catalogue, row, h);
        if (!scale) continue;
        const std::vector<double> gain = catalogue.gains[h.gain].apply(row, tensors);
        for (std::size_t i = 0; i < moved_scales; ++i) {
            const double r = scale->exact.high * (1 + change(i, k, range));
            for (std::size_t at = 0; at < row.output.size(); ++at) {
                row.output[at] =
                    numeric::round_to(tensors.formats.output, row.input[at] * gain[at] * r);
            }
            const RowTest test = test_row(tensors, row, catalogue.inputs[h.input],
                                          catalogue.gains[h.gain], h.reading);
            if (!test.measured.meets(scale->interval())) all[i] = false;
        }
    }
    return all.count();
}

}  // namespace

std::size_t coincidences(const Tensors& tensors, const Catalogue& catalogue,
                         std::span<const Row> rows, const Finding& finding) {
    const auto& h = finding.hypothesis;
    // Roundings that no program makes explain a few values with a scale of their own as well.
    if (!h && finding.explanations.front().id == "computed-low" &&
        rows.size() * tensors.width < few_values) {
        Hypothesis loose;
        loose.reading = {tensors.formats, loose_structure(tensors.formats), {}, 0};
        return by_reading(tensors, catalogue, rows, loose);
    }
    if (!h || h->view != View::plain || h->estimate != Estimate::none) return 0;
    if (!h->formula) {
        if (!h->reading.structure.truncated || h->input != 0) return 0;
        return by_reading(tensors, catalogue, rows, *h);
    }
    std::vector<MovedRow> moved;
    for (const Row& row : rows) {
        const RowTest test = test_row(tensors, row, catalogue.inputs[h->input],
                                      catalogue.gains[h->gain], h->reading);
        const auto right = test.measured.empty() ? std::nullopt : right_scale(test.context);
        if (!right) continue;
        const auto off = [&](DoubleDouble scale) {
            return std::fabs(((scale - right->exact) / right->exact).high);
        };
        const double range = 2 * std::max(off(test.measured.low), off(test.measured.high));
        if (!(range < 1)) return 0;
        moved.push_back({test, range});
    }
    if (moved.empty()) return 0;
    return by_formulas(catalogue, moved, catalogue.formulas[*h->formula].explanation);
}

}  // namespace rmsnorm::judge
