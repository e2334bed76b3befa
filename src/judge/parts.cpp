#include "judge/parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rmsnorm::judge {
namespace {

std::vector<std::size_t> chosen(const std::vector<std::size_t>& from, std::size_t most) {
    std::vector<std::size_t> result;
    for (const std::size_t i : spread_indices(from.size(), most)) result.push_back(from[i]);
    return result;
}

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
        for (Hypothesis& h : search(tensors, catalogue, rows, View::plain, 1, {2.3, 0.1})) {
            found.push_back(std::move(h.explanations));
        }
    }
    if (found.empty()) return one("unexplained", "");
    return found;
}

struct ViewChoice {
    View view;
    std::size_t groups;
};

std::vector<ViewChoice> views(const Tensors& tensors) {
    std::vector<ViewChoice> all = {{View::plain, 1}};
    if (tensors.rows > 1) {
        for (const View view : {View::rows_shifted_down, View::rows_shifted_up, View::rows_reversed,
                                View::transposed}) {
            if (view == View::rows_shifted_up && tensors.rows == 2) continue;
            if (view == View::rows_reversed && tensors.rows == 2) continue;
            all.push_back({view, 1});
        }
        if (tensors.width > 1) {
            all.push_back({View::column_major_output, 1});
            all.push_back({View::column_major_input, 1});
        }
    }
    for (std::size_t groups = 2; groups <= 64 && groups <= tensors.width; ++groups) {
        if (tensors.width % groups == 0) all.push_back({View::grouped, groups});
    }
    return all;
}

bool ordinary(const Tensors& tensors, const Row& row) {
    return kind_of(row.input, tensors.epsilon) == RowKind::ordinary;
}

// Whether a shift of the rows leaves this one to chance: what came from beyond the end.
bool beyond_the_end(View view, std::size_t row, std::size_t count) {
    if (count < 3) return false;
    return (view == View::rows_shifted_down && row == 0) ||
           (view == View::rows_shifted_up && row + 1 == count);
}

std::vector<Row> read_rows(const Tensors& tensors, const Rows& rows,
                           const std::vector<std::size_t>& indices, View view = View::plain) {
    std::vector<Row> result;
    for (const std::size_t k : indices) {
        if (beyond_the_end(view, k, rows.count())) continue;
        Row row;
        rows.read(k, row);
        if (ordinary(tensors, row)) result.push_back(std::move(row));
    }
    return result;
}

std::size_t sample_rows(std::size_t width) {
    return std::clamp<std::size_t>(100'000 / std::max<std::size_t>(width, 1), 4, 64);
}

// Leaves what fits all rows of the view; returns the first row at which something was dropped.
std::optional<std::size_t> verify(const Tensors& tensors, const Catalogue& catalogue,
                                  const Rows& rows, std::vector<Hypothesis>& hypotheses) {
    std::optional<std::size_t> dropped;
    RowSquares squares(tensors);
    Row row;
    for (std::size_t k = 0; k < rows.count() && !hypotheses.empty(); ++k) {
        if (beyond_the_end(hypotheses[0].view, k, rows.count())) continue;
        rows.read(k, row);
        if (!ordinary(tensors, row)) continue;
        const std::size_t before = hypotheses.size();
        keep_fitting(tensors, catalogue, row, squares, hypotheses);
        if (hypotheses.size() < before && !dropped) dropped = k;
    }
    return dropped;
}

// The same mistake with the same figures, in another wording.
bool is_variant(const Explanation& a, const Explanation& b) {
    return a.id == b.id && a.value == b.value && a.divisor == b.divisor && a.dtype == b.dtype;
}

class Everywhere {
  public:
    Everywhere(const Tensors& tensors, const Catalogue& catalogue,
               const std::vector<std::size_t>& outside)
        : tensors_(tensors), catalogue_(catalogue), outside_(outside) {}

    std::vector<Finding> run() {
        for (const ViewChoice& choice : views(tensors_)) search_view(choice);
        std::vector<Finding> findings = named();
        if (findings.empty() || findings[0].cost > cast_cost) {
            std::vector<Finding> cast = computed_low();
            if (!cast.empty()) return cast;
        }
        return findings;
    }

  private:
    // Dearer than one mistake, cheaper than the three roundings one by one.
    static constexpr double cast_cost = 1.08;

    std::vector<Finding> named() {
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Hypothesis& a, const Hypothesis& b) { return a.cost < b.cost; });
        std::vector<Finding> findings;
        for (Hypothesis& h : found_) {
            if (h.cost > found_[0].cost + named_margin) break;
            const bool variant =
                std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
                    return std::equal(f.explanations.begin(), f.explanations.end(),
                                      h.explanations.begin(), h.explanations.end(), is_variant);
                });
            if (variant) continue;
            findings.push_back(
                {h.explanations, std::nullopt, h.rows, h.largest_distance, h.cost, h});
        }
        return findings;
    }

    // Input and gain cast to a lower format, in which the layer then ran.
    std::vector<Finding> computed_low() {
        std::vector<Finding> findings;
        for (const NumberFormat format : lower_formats(NumberFormat::binary64)) {
            if (numeric::precision(format) >= numeric::precision(tensors_.formats.output)) continue;
            const Tensors cast = cast_to(format);
            const auto rows = view_of(cast, View::plain);
            const std::vector<Row> sample = ordinary_sample(cast, *rows, sample_rows(cast.width));
            if (!std::all_of(sample.begin(), sample.end(), [&](const Row& row) {
                    return std::all_of(row.output.begin(), row.output.end(), [&](double value) {
                        return std::isnan(value) || numeric::is_in(format, value);
                    });
                })) {
                continue;
            }
            add_cast(cast, *rows, sample, format, findings);
        }
        return findings;
    }

    Tensors cast_to(NumberFormat format) const {
        Tensors cast = tensors_;
        cast.formats = {format, format, format};
        for (double& gain : cast.gain) gain = numeric::round_to(format, gain);
        cast.input = [this, format](std::size_t first, std::size_t stride,
                                    std::span<double> elements) {
            tensors_.input(first, stride, elements);
            for (double& value : elements) value = numeric::round_to(format, value);
        };
        return cast;
    }

    static void add_cast(const Tensors& cast, const Rows& rows, const std::vector<Row>& sample,
                         NumberFormat format, std::vector<Finding>& findings) {
        const Catalogue catalogue(cast);
        std::vector<Hypothesis> hypotheses =
            search(cast, catalogue, sample, View::plain, 1, {1.35, named_margin, true});
        verify(cast, catalogue, rows, hypotheses);
        for (const Hypothesis& h : hypotheses) {
            Finding finding;
            finding.explanations.push_back(
                {"computed-low", "input and gain as well", {}, {}, format});
            for (const Explanation& e : h.explanations) {
                // Within that format a rounded mean or root says the same.
                if (!is_imprecision(e)) finding.explanations.push_back(e);
            }
            const bool known = std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
                return f.explanations == finding.explanations;
            });
            if (known) continue;
            finding.rows = h.rows;
            finding.largest_distance = h.largest_distance;
            finding.cost = cast_cost + h.cost;
            findings.push_back(std::move(finding));
        }
    }

    // A row that refutes what the sample allowed joins the sample, until nothing is refuted.
    void search_view(const ViewChoice& choice) {
        const auto rows = view_of(tensors_, choice.view, choice.groups);
        const std::size_t most = sample_rows(rows->width());
        std::vector<std::size_t> indices = spread_indices(rows->count(), most - most / 2);
        if (choice.view == View::plain) {
            const auto wrong = chosen(outside_, most / 2);
            indices.insert(indices.end(), wrong.begin(), wrong.end());
        }
        for (int attempt = 0; attempt < 6; ++attempt) {
            std::sort(indices.begin(), indices.end());
            indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
            const std::vector<Row> sample = read_rows(tensors_, *rows, indices, choice.view);
            SearchLimits limits;
            if (!found_.empty()) limits.most_cost = found_[0].cost + named_margin;
            std::vector<Hypothesis> hypotheses =
                search(tensors_, catalogue_, sample, choice.view, choice.groups, limits);
            if (hypotheses.empty()) return;
            const double cheapest = hypotheses[0].cost;
            const auto refuting = verify(tensors_, catalogue_, *rows, hypotheses);
            const bool stands = !hypotheses.empty() && hypotheses[0].cost == cheapest;
            if (stands || !refuting) {
                found_.insert(found_.end(), hypotheses.begin(), hypotheses.end());
                std::stable_sort(
                    found_.begin(), found_.end(),
                    [](const Hypothesis& a, const Hypothesis& b) { return a.cost < b.cost; });
                return;
            }
            indices.push_back(*refuting);
        }
    }

    const Tensors& tensors_;
    const Catalogue& catalogue_;
    const std::vector<std::size_t>& outside_;
    std::vector<Hypothesis> found_;
};

}  // namespace

std::vector<Row> ordinary_sample(const Tensors& tensors, const Rows& rows, std::size_t most) {
    return read_rows(tensors, rows, spread_indices(rows.count(), most));
}

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

std::vector<Finding> find_everywhere(const Tensors& tensors, const Catalogue& catalogue,
                                     const std::vector<std::size_t>& outside) {
    return Everywhere(tensors, catalogue, outside).run();
}

std::vector<Finding> find_part(const Tensors& tensors, const Catalogue& catalogue,
                               const RightTest& right, std::size_t form,
                               const std::vector<std::size_t>& outside) {
    const auto rows = view_of(tensors, View::plain);
    const std::vector<Row> sample =
        read_rows(tensors, *rows, chosen(outside, sample_rows(tensors.width)));
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
    std::vector<Finding> findings;
    for (std::vector<Explanation>& found : inside(tensors, catalogue, sample, pattern.columns)) {
        // Everywhere is no part, except for what no formula makes.
        if (everywhere && found[0].id != "zeros" && found[0].detail != "NaN") continue;
        Finding finding;
        finding.explanations.push_back({"part", "", {}, {}, {}});
        finding.explanations.insert(finding.explanations.end(), found.begin(), found.end());
        finding.place =
            Place{index_set(outside, tensors.rows), index_set(pattern.columns, tensors.width)};
        finding.rows = outside.size();
        finding.cost = found[0].id == "unexplained" ? 2.5 : 1.3;
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace rmsnorm::judge
