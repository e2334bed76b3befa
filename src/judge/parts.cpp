#include "judge/parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace rmsnorm::judge {
namespace {

// Bad elements of a row under the scale that most of them accept.
std::vector<bool> wrong_elements(const Tensors& tensors, const RightTest& right, std::size_t form,
                                 const Row& row) {
    const ScaleInterval scale = most_accepted_scale(tensors, right, form, row);
    std::vector<bool> wrong(row.input.size());
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        wrong[i] = !right.element(form, row, i).meets(scale);
    }
    return wrong;
}

struct Pattern {
    std::vector<std::size_t> columns;
    std::size_t wrong = 0;
    bool regular = false;
};

Pattern pattern_of(const Tensors& tensors, const RightTest& right, std::size_t form,
                   const std::vector<Row>& rows) {
    std::vector<std::size_t> counts(tensors.width, 0);
    Pattern pattern;
    for (const Row& row : rows) {
        const std::vector<bool> wrong = wrong_elements(tensors, right, form, row);
        for (std::size_t i = 0; i < wrong.size(); ++i) counts[i] += wrong[i] ? 1U : 0U;
    }
    std::size_t outside_columns = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        pattern.wrong += counts[i];
        // A wrong value is right by chance now and then.
        if (counts[i] > 0 && 2 * counts[i] >= rows.size()) {
            pattern.columns.push_back(i);
        } else {
            outside_columns += counts[i];
        }
    }
    pattern.regular = 50 * outside_columns <= pattern.wrong;
    return pattern;
}

template <class Test>
bool all_elements(const std::vector<Row>& rows, const std::vector<std::size_t>& columns,
                  Test test) {
    for (const Row& row : rows) {
        for (const std::size_t i : columns) {
            if (!test(row, i)) return false;
        }
    }
    return true;
}

// A factor is named once, whichever roundings it stands before. A row has one sum: columns with a
// factor of their own have no divisor or epsilon of their own.
void keep_one_factor(std::vector<Hypothesis>& hypotheses, bool some_columns) {
    const auto is_factor = [](const Hypothesis& h) { return h.estimate == Estimate::factor; };
    const auto first = std::find_if(hypotheses.begin(), hypotheses.end(), is_factor);
    if (first == hypotheses.end()) return;
    const Hypothesis factor = *first;
    std::erase_if(hypotheses, [&](const Hypothesis& h) {
        return is_factor(h) || (some_columns && h.estimate != Estimate::none);
    });
    hypotheses.push_back(factor);
}

std::vector<std::vector<Explanation>> inside(const Tensors& tensors, const Catalogue& catalogue,
                                             std::vector<Row> rows,
                                             const std::vector<std::size_t>& columns) {
    const auto one = [](const char* id, const char* detail) {
        return std::vector<std::vector<Explanation>>{{{id, detail, {}, {}, {}}}};
    };
    if (all_elements(rows, columns, [](const Row& r, std::size_t i) { return r.output[i] == 0; })) {
        return one("zeros", "");
    }
    if (all_elements(rows, columns,
                     [](const Row& r, std::size_t i) { return std::isnan(r.output[i]); })) {
        return one("unexplained", "NaN");
    }
    if (all_elements(rows, columns,
                     [](const Row& r, std::size_t i) { return r.output[i] == r.input[i]; })) {
        return one("copied", "");
    }
    std::vector<std::vector<Explanation>> found;
    if (columns.size() < tensors.width) {
        for (Row& row : rows) row.columns = columns;
    }
    // A few elements a row would fit many a guess.
    const bool few = columns.size() * rows.size() < 3;
    if (!few) {
        std::vector<Hypothesis> fitting =
            search(tensors, catalogue, rows, View::plain, 1, {2.3, 0.1});
        keep_one_factor(fitting, columns.size() < tensors.width);
        for (Hypothesis& h : fitting) found.push_back(std::move(h.explanations));
    }
    if (found.empty()) return one("unexplained", "");
    return found;
}

}  // namespace

ScaleInterval most_accepted_scale(const Tensors&, const RightTest& right, std::size_t form,
                                  const Row& row) {
    const std::optional<Scale> scale = right.scale(row.input);
    if (!scale) return {1.0, 0.0};
    const ScaleInterval whole = scale->interval();
    struct Change {
        DoubleDouble at;
        int step;  // an interval begins before another ends at the same place
    };
    std::vector<Change> changes;
    for (std::size_t i = 0; i < row.input.size(); ++i) {
        const ScaleInterval element = right.element(form, row, i);
        if (!element.meets(whole)) continue;
        changes.push_back({element.low < whole.low ? whole.low : element.low, -1});
        changes.push_back({element.high > whole.high ? whole.high : element.high, 1});
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.at < b.at || (!(b.at < a.at) && a.step < b.step);
    });
    int depth = 0;
    int deepest = 0;
    ScaleInterval best = whole;
    bool open = false;
    for (const Change& change : changes) {
        depth -= change.step;
        if (depth > deepest) {
            deepest = depth;
            best.low = change.at;
            open = true;
        } else if (open && change.step > 0) {
            best.high = change.at;
            open = false;
        }
    }
    return best;
}

std::vector<Finding> find_part(const Tensors& tensors, const Catalogue& catalogue,
                               const RightTest& right, std::size_t form,
                               const std::vector<std::size_t>& outside) {
    const auto rows = view_of(tensors, View::plain);
    const std::vector<Row> sample = ordinary_rows(
        tensors, *rows, some_of(readable(*rows, outside), sample_size(tensors.width)));
    if (sample.empty()) {
        Finding finding{{{"part", "", {}, {}, {}}, {"unexplained", "", {}, {}, {}}},
                        Place{index_set(outside, tensors.rows), "all"},
                        outside.size(),
                        0,
                        2,
                        {}};
        return {finding};
    }
    Pattern pattern = pattern_of(tensors, right, form, sample);
    for (std::size_t other = 0; other < right.forms(); ++other) {
        Pattern candidate = pattern_of(tensors, right, other, sample);
        if (candidate.wrong < pattern.wrong) pattern = std::move(candidate);
    }
    // Hardly any column is right by the scale that most accept: the whole row is wrong.
    if (10 * pattern.columns.size() > 6 * tensors.width || !pattern.regular) {
        pattern.columns.resize(tensors.width);
        for (std::size_t i = 0; i < tensors.width; ++i) pattern.columns[i] = i;
    }
    if (pattern.columns.empty()) return {};
    const bool everywhere =
        outside.size() == tensors.rows && pattern.columns.size() == tensors.width;
    const std::string columns = index_set(pattern.columns, tensors.width);
    // Of one row any columns may be chosen so that something fits them.
    const bool chosen =
        sample.size() == 1 && pattern.columns.size() > 3 && columns.find(',') != std::string::npos;
    std::vector<Finding> findings;
    for (std::vector<Explanation>& found : inside(tensors, catalogue, sample, pattern.columns)) {
        // Everywhere is no part, except for what no formula makes.
        const bool plain = found[0].id == "zeros" || found[0].detail == "NaN";
        if (!plain && (everywhere || (chosen && found[0].id != "copied"))) continue;
        Finding finding;
        finding.explanations.push_back({"part", "", {}, {}, {}});
        finding.explanations.insert(finding.explanations.end(), found.begin(), found.end());
        finding.place = Place{index_set(outside, tensors.rows), columns};
        finding.rows = outside.size();
        finding.cost = found[0].id == "unexplained" ? 2.5 : 1.3;
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace rmsnorm::judge
