#include "judge/parts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace rmsnorm::judge {
namespace {

// Of the right scales of a row the ones that most elements leave possible.
ScaleInterval most_accepted_scale(const RightTest& right, std::size_t form, const Row& row) {
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

// Bad elements of a row under the scale that most of them accept.
std::vector<bool> wrong_elements(const Tensors& tensors, const RightTest& right, std::size_t form,
                                 const Row& row) {
    const RowKind kind = kind_of(tensors, row);
    if (kind != RowKind::ordinary) return wrong_without_scale(kind, row);
    const ScaleInterval scale = most_accepted_scale(right, form, row);
    std::vector<bool> wrong(row.input.size());
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        wrong[i] = !right.element(form, row, i).meets(scale);
    }
    return wrong;
}

struct Pattern {
    std::size_t form = 0;
    std::vector<std::size_t> columns;
    std::size_t wrong = 0;
    bool regular = false;
};

Pattern pattern_of(const Tensors& tensors, const RightTest& right, std::size_t form,
                   const std::vector<Row>& rows) {
    std::vector<std::size_t> counts(tensors.width, 0);
    Pattern pattern;
    pattern.form = form;
    for (const Row& row : rows) {
        const std::vector<bool> wrong = wrong_elements(tensors, right, form, row);
        for (std::size_t i = 0; i < wrong.size(); ++i) counts[i] += wrong[i] ? 1U : 0U;
    }
    pattern.regular = true;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        pattern.wrong += counts[i];
        // A wrong value is right by chance now and then.
        const bool mostly = 2 * counts[i] >= rows.size();
        if (counts[i] > 0 && mostly) pattern.columns.push_back(i);
        pattern.regular = pattern.regular && (counts[i] == 0 || mostly);
    }
    // Hardly any column is right by the scale that most accept: the whole row is wrong.
    pattern.regular = pattern.regular && !pattern.columns.empty() &&
                      10 * pattern.columns.size() <= 6 * tensors.width;
    return pattern;
}

std::vector<std::size_t> all_columns(std::size_t width) {
    std::vector<std::size_t> columns(width);
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return columns;
}

// The rows that are wrong, and what is asked of all of them.
class WrongRows {
  public:
    WrongRows(const Tensors& tensors, const RightTest& right,
              const std::vector<std::size_t>& outside)
        : tensors_(tensors),
          right_(right),
          rows_(view_of(tensors, View::plain)),
          indices_(readable(*rows_, outside)) {}

    std::size_t count() const { return indices_.size(); }

    std::vector<Row> sample() const {
        std::vector<Row> rows;
        for (const std::size_t k : some_of(indices_, sample_size(tensors_.width))) {
            rows.emplace_back();
            rows_->read(k, rows.back());
        }
        return rows;
    }

    // How many elements in the columns are wrong; nothing where one beside them is.
    std::optional<std::size_t> wrong_in(const std::vector<std::size_t>& columns,
                                        std::size_t form) const {
        std::vector<std::size_t> others;
        const std::vector<std::size_t> all = all_columns(tensors_.width);
        std::set_difference(all.begin(), all.end(), columns.begin(), columns.end(),
                            std::back_inserter(others));
        std::size_t wrong = 0;
        const bool alone = holds([&](const Row& row) {
            const RowKind kind = kind_of(tensors_, row);
            if (kind != RowKind::ordinary) {
                const std::vector<bool> elements = wrong_without_scale(kind, row);
                for (const std::size_t i : columns) wrong += elements[i] ? 1U : 0U;
                return std::none_of(others.begin(), others.end(),
                                    [&](std::size_t i) { return elements[i]; });
            }
            const std::optional<Scale> scale = right_.scale(row.input);
            if (!scale) return true;
            ScaleInterval possible = right_.measured(form, row, others);
            const ScaleInterval whole = scale->interval();
            if (!possible.meets(whole)) return false;
            if (possible.low < whole.low) possible.low = whole.low;
            if (possible.high > whole.high) possible.high = whole.high;
            for (const std::size_t i : columns) {
                wrong += right_.element(form, row, i).meets(possible) ? 0U : 1U;
            }
            return true;
        });
        if (!alone) return std::nullopt;
        return wrong;
    }

    template <class Test>
    bool all_elements(const std::vector<std::size_t>& columns, Test test) const {
        return holds([&](const Row& row) {
            return std::all_of(columns.begin(), columns.end(),
                               [&](std::size_t i) { return test(row, i); });
        });
    }

    bool are_ordinary() const {
        return holds([&](const Row& row) { return kind_of(tensors_, row) == RowKind::ordinary; });
    }

    void keep_fitting_all(const Catalogue& catalogue, const std::vector<std::size_t>& columns,
                          std::vector<Hypothesis>& hypotheses) const {
        RowSquares squares(tensors_);
        holds([&](Row& row) {
            if (columns.size() < tensors_.width) row.columns = columns;
            keep_fitting(tensors_, catalogue, row, squares, hypotheses);
            return !hypotheses.empty();
        });
    }

  private:
    template <class Test>
    bool holds(Test test) const {
        return std::all_of(indices_.begin(), indices_.end(), [&](std::size_t k) {
            Row row;
            rows_->read(k, row);
            return test(row);
        });
    }

    const Tensors& tensors_;
    const RightTest& right_;
    std::unique_ptr<Rows> rows_;
    std::vector<std::size_t> indices_;
};

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

// What the elements of all the rows in the columns hold; nothing where nothing explains them.
std::vector<std::vector<Explanation>> inside(const Tensors& tensors, const Catalogue& catalogue,
                                             const WrongRows& wrong, std::vector<Row> sample,
                                             const std::vector<std::size_t>& columns) {
    const auto one = [](const char* id, const char* detail) {
        return std::vector<std::vector<Explanation>>{{{id, detail, {}, {}, {}}}};
    };
    const auto all = [&](auto test) { return wrong.all_elements(columns, test); };
    if (all([](const Row& r, std::size_t i) { return r.output[i] == 0; })) return one("zeros", "");
    if (all([](const Row& r, std::size_t i) { return std::isnan(r.output[i]); })) {
        return one("unexplained", "NaN");
    }
    if (all([](const Row& r, std::size_t i) { return r.output[i] == r.input[i]; })) {
        return one("copied", "");
    }
    // A few elements a row would fit many a guess.
    if (columns.size() * sample.size() < 3 || !wrong.are_ordinary()) return {};
    if (columns.size() < tensors.width) {
        for (Row& row : sample) row.columns = columns;
    }
    std::vector<Hypothesis> fitting =
        search(tensors, catalogue, sample, View::plain, 1, {2.3, 0.1});
    keep_one_factor(fitting, columns.size() < tensors.width);
    wrong.keep_fitting_all(catalogue, columns, fitting);
    std::vector<std::vector<Explanation>> found;
    for (std::size_t i = 0; i < fitting.size(); ++i) {
        const bool known =
            std::any_of(fitting.begin(), fitting.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const Hypothesis& earlier) {
                            return agree(earlier.explanations, fitting[i].explanations);
                        });
        if (!known) found.push_back(fitting[i].explanations);
    }
    return found;
}

// Values that nothing explains, where hardly any of them is right: how many are wrong.
std::optional<Explanation> unexplained(std::size_t wrong, std::size_t elements) {
    if (10 * wrong < 9 * elements) return std::nullopt;
    Explanation explanation{"unexplained", "", {}, {}, {}};
    if (wrong < elements) {
        explanation.detail = std::to_string(wrong) + " of these " + std::to_string(elements) +
                             " elements are outside their bound, and no others";
    }
    return explanation;
}

}  // namespace

std::vector<Finding> find_part(const Tensors& tensors, const Catalogue& catalogue,
                               const RightTest& right, std::size_t form,
                               const std::vector<std::size_t>& outside) {
    const WrongRows wrong_rows(tensors, right, outside);
    const std::vector<Row> sample = wrong_rows.sample();
    if (sample.empty()) return {};
    Pattern pattern = pattern_of(tensors, right, form, sample);
    for (std::size_t other = 0; other < right.forms(); ++other) {
        Pattern candidate = pattern_of(tensors, right, other, sample);
        if (candidate.wrong < pattern.wrong) pattern = std::move(candidate);
    }
    std::optional<std::size_t> wrong;
    if (pattern.regular) wrong = wrong_rows.wrong_in(pattern.columns, pattern.form);
    if (!wrong) {
        pattern.columns = all_columns(tensors.width);
        wrong = wrong_rows.wrong_in(pattern.columns, pattern.form);
    }
    const bool everywhere =
        outside.size() == tensors.rows && pattern.columns.size() == tensors.width;
    const std::string columns = index_set(pattern.columns, tensors.width);
    // Of one row any columns may be chosen so that something fits them.
    const bool chosen =
        sample.size() == 1 && pattern.columns.size() > 3 && columns.find(',') != std::string::npos;
    std::vector<std::vector<Explanation>> contents =
        inside(tensors, catalogue, wrong_rows, sample, pattern.columns);
    if (contents.empty()) {
        const auto rest =
            unexplained(wrong.value_or(0), wrong_rows.count() * pattern.columns.size());
        if (rest) contents.push_back({*rest});
    }
    std::vector<Finding> findings;
    for (std::vector<Explanation>& found : contents) {
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

std::optional<Fact> scattered_elements(const Tensors& tensors, const RightTest& right,
                                       std::size_t form, const std::vector<std::size_t>& outside) {
    constexpr std::size_t most_listed = 8;
    const WrongRows wrong_rows(tensors, right, outside);
    const std::vector<Row> sample = wrong_rows.sample();
    std::size_t count = 0;
    std::string list;
    bool zeros = true;
    bool nans = true;
    for (const Row& row : sample) {
        const std::vector<bool> wrong = wrong_elements(tensors, right, form, row);
        for (std::size_t i = 0; i < wrong.size(); ++i) {
            if (!wrong[i]) continue;
            zeros = zeros && row.output[i] == 0;
            nans = nans && std::isnan(row.output[i]);
            if (++count > most_listed) continue;
            list += (count == 1 ? "(" : ", (") + std::to_string(row.index) + ", " +
                    std::to_string(i) + ")";
        }
    }
    if (count == 0 || 2 * count > sample.size() * tensors.width) return std::nullopt;
    if (count > most_listed) list += " and " + std::to_string(count - most_listed) + " more";
    return Fact{"beside a scale that most elements of their row allow, " +
                std::string(count == 1 ? "one is" : std::to_string(count) + " are") + " wrong" +
                (zeros  ? ", with 0"
                 : nans ? ", with NaN"
                        : "") +
                (sample.size() < outside.size()
                     ? " in " + std::to_string(sample.size()) + " of these rows"
                     : "") +
                ", at (row, column) " + list};
}

}  // namespace rmsnorm::judge
