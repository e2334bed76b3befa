#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "judge/parts.hpp"
#include "judge/unknown.hpp"

namespace rmsnorm::judge {
namespace {

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

// Whether a shift of the rows leaves this one to chance: what came from beyond the end.
bool beyond_the_end(View view, std::size_t row, std::size_t count) {
    if (count < 3) return false;
    return (view == View::rows_shifted_down && row == 0) ||
           (view == View::rows_shifted_up && row + 1 == count);
}

// Leaves what fits all rows of the view that can be read; returns the first row at which something
// was dropped.
std::optional<std::size_t> verify(const Tensors& tensors, const Catalogue& catalogue,
                                  const Rows& rows, std::vector<Hypothesis>& hypotheses) {
    std::optional<std::size_t> dropped;
    RowSquares squares(tensors);
    Row row;
    std::size_t compared = 0;
    std::size_t uncompared = 0;
    for (std::size_t k = 0; k < rows.count() && !hypotheses.empty(); ++k) {
        if (!rows.can_read(k)) ++uncompared;
        if (!rows.can_read(k) || beyond_the_end(hypotheses[0].view, k, rows.count())) continue;
        rows.read(k, row);
        if (kind_of(tensors, row) != RowKind::ordinary) continue;
        ++compared;
        const std::size_t before = hypotheses.size();
        keep_fitting(tensors, catalogue, row, squares, hypotheses);
        if (hypotheses.size() < before && !dropped) dropped = k;
    }
    for (Hypothesis& h : hypotheses) {
        h.compared = compared;
        h.uncompared = uncompared;
    }
    return dropped;
}

class Everywhere {
  public:
    Everywhere(const Tensors& tensors, const Catalogue& catalogue,
               const std::vector<std::size_t>& outside)
        : tensors_(tensors), catalogue_(catalogue), outside_(outside) {}

    std::vector<Finding> run() {
        if (holds_zeros()) {
            search_view({View::plain, 1}, cost_of_one_mistake);
            return named();
        }
        for (const ViewChoice& choice : views(tensors_)) search_view(choice);
        std::vector<Finding> findings = named();
        if (findings.empty() || findings[0].cost > cast_cost) {
            std::vector<Finding> cast =
                computed_low(findings.empty() || findings[0].explanations.size() > 1);
            if (!cast.empty()) return cast;
        }
        return findings;
    }

  private:
    // Whether most rows are zeros, which look alike from everywhere, which any format has, and
    // which any two mistakes may make.
    bool holds_zeros() const {
        const std::vector<Row> sample = ordinary_sample(tensors_);
        const auto zeros = std::count_if(sample.begin(), sample.end(), [](const Row& row) {
            return std::all_of(row.output.begin(), row.output.end(),
                               [](double y) { return y == 0; });
        });
        return 2 * static_cast<std::size_t>(zeros) > sample.size();
    }

    // Dearer than one mistake, cheaper than the three roundings one by one.
    static constexpr double cast_cost = 1.08;
    static constexpr double cost_of_one_mistake = 1.35;
    // Dearer than a part of the output that nothing explains.
    static constexpr double cost_of_no_name = 2;

    std::vector<Finding> named() {
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Hypothesis& a, const Hypothesis& b) { return a.cost < b.cost; });
        std::vector<Finding> findings;
        for (Hypothesis& h : found_) {
            if (h.cost > found_[0].cost + named_margin) break;
            const auto known = std::find_if(
                findings.begin(), findings.end(),
                [&](const Finding& f) { return agree(f.explanations, h.explanations); });
            if (known == findings.end()) {
                findings.push_back(
                    {h.explanations, std::nullopt, rows_of(h), h.largest_distance, h.cost, h});
            } else {
                join(*known, h);
            }
        }
        return findings;
    }

    // The number that fits better stands for both; one that is read off, for no usual one near it.
    void join(Finding& finding, const Hypothesis& h) const {
        const bool better = h.largest_distance < finding.largest_distance &&
                            !std::equal(h.explanations.begin(), h.explanations.end(),
                                        finding.explanations.begin(), is_near_number);
        const std::vector<Explanation> other = better ? finding.explanations : h.explanations;
        if (better) {
            finding.explanations = h.explanations;
            finding.rows = rows_of(h);
            finding.largest_distance = h.largest_distance;
            finding.hypothesis = h;
        }
        for (std::size_t i = 0; i < other.size(); ++i) {
            const std::optional<double> number = number_of(other[i]);
            const bool known = is_near_number(other[i], finding.explanations[i]) ||
                               std::any_of(finding.also.begin(), finding.also.end(),
                                           [&](double shown) { return is_near(*number, shown); });
            if (!known) finding.also.push_back(*number);
        }
    }

    static bool is_near(double a, double b) { return std::fabs(a - b) <= 1e-3 * std::fabs(b); }

    static bool is_near_number(const Explanation& a, const Explanation& b) {
        const std::optional<double> number = number_of(a);
        return !number || is_near(*number, *number_of(b));
    }

    static std::optional<double> number_of(const Explanation& e) {
        if (e.value || !e.divisor) return e.value;
        return static_cast<double>(*e.divisor);
    }

    // Rows of the tensors that a view's are of.
    std::size_t rows_of(const Hypothesis& h) const {
        if (h.view == View::transposed) return tensors_.rows;
        return (h.rows + h.groups - 1) / h.groups;
    }

    // A shift leaves the first or the last row open: what stands there.
    void add_row_beyond(const Rows& rows, Hypothesis& h) const {
        const std::size_t k = h.view == View::rows_shifted_down ? 0 : rows.count() - 1;
        if (!beyond_the_end(h.view, k, rows.count()) || !rows.can_read(k)) return;
        Row row;
        rows.read(k, row);
        std::vector<Hypothesis> still = {h};
        if (kind_of(tensors_, row) == RowKind::ordinary) {
            RowSquares squares(tensors_);
            keep_fitting(tensors_, catalogue_, row, squares, still);
            ++h.compared;
        }
        if (!still.empty()) {
            h.rows = still[0].rows;
            return;
        }
        const bool right = std::find(outside_.begin(), outside_.end(), k) == outside_.end();
        const bool zeros =
            std::all_of(row.output.begin(), row.output.end(), [](double y) { return y == 0; });
        h.beside = "row " + std::to_string(k) +
                   (right   ? " is right as it stands"
                    : zeros ? " holds zeros"
                            : " holds what belongs into no neighbor");
    }

    // Input and gain cast to a lower format, in which the layer then ran, up to the output, or up
    // to a last product in the output's format where the values tell it. Where no single mistake
    // explains the output, they need not, and the input alone may have been cast, with binary32
    // arithmetic for what is binary64.
    std::vector<Finding> computed_low(bool no_single_mistake) {
        std::vector<Finding> findings;
        const NumberFormat output = tensors_.formats.output;
        for (const NumberFormat format : lower_formats(NumberFormat::binary64)) {
            if (numeric::precision(format) >= numeric::precision(output)) continue;
            const std::vector<Row> sample = ordinary_sample(tensors_);
            const bool all_in = std::all_of(sample.begin(), sample.end(), [&](const Row& row) {
                return std::all_of(row.output.begin(), row.output.end(), [&](double value) {
                    return std::isnan(value) || numeric::is_in(format, value);
                });
            });
            const Explanation low{"computed-low", "input and gain as well", {}, {}, format};
            const bool is_arithmetic = format == NumberFormat::binary32;
            const bool all_last = is_arithmetic && !all_in && is_last_product(format, sample);
            for (const Cast& round : {Cast(numeric::round_to), Cast(by_binary32)}) {
                if (all_in) {
                    add_cast(cast_to({format, format, format}, round), {low}, findings);
                } else if (all_last || (no_single_mistake && is_arithmetic)) {
                    add_cast(cast_to({format, tensors_.formats.gain, output}, round),
                             {all_last ? low : as_imprecise_as(format)}, findings);
                }
                if (no_single_mistake && !is_arithmetic &&
                    tensors_.formats.arithmetic() == NumberFormat::binary64) {
                    add_cast(cast_to({format, tensors_.formats.gain, output}, round),
                             {{"input-low", "", {}, {}, format},
                              {"computed-low", "", {}, {}, NumberFormat::binary32}},
                             findings);
                }
            }
        }
        std::stable_sort(findings.begin(), findings.end(),
                         [](const Finding& x, const Finding& y) { return x.cost < y.cost; });
        return findings;
    }

    // Whether numbers of the format, times the gain or the input, are the output's elements to four
    // units of binary64. Either may have been cast to the format.
    bool is_last_product(NumberFormat format, const std::vector<Row>& rows) const {
        std::array<bool, 5> fits{true, true, true, true, true};
        for (const Row& row : rows) {
            for (std::size_t i = 0; i < row.output.size(); ++i) {
                if (row.output[i] == 0 || !std::isfinite(row.output[i])) continue;
                const double gain = tensors_.gain_offset + row.gain[i];
                const std::array<double, 5> factors{gain, numeric::round_to(format, gain),
                                                    numeric::round_to(tensors_.formats.gain, gain),
                                                    row.input[i],
                                                    numeric::round_to(format, row.input[i])};
                for (std::size_t k = 0; k < factors.size(); ++k) {
                    const double quotient = row.output[i] / factors[k];
                    const double distance =
                        std::fabs(quotient - numeric::round_to(format, quotient));
                    fits[k] =
                        fits[k] && distance <= 4 * numeric::unit_roundoff(NumberFormat::binary64) *
                                                   std::fabs(quotient);
                }
            }
        }
        return std::find(fits.begin(), fits.end(), true) != fits.end();
    }

    using Cast = double (*)(NumberFormat, double);

    Tensors cast_to(const Formats& formats, Cast round) const {
        Tensors cast = tensors_;
        cast.formats = formats;
        cast.row_squares = nullptr;
        for (double& gain : cast.gain) gain = round(formats.gain, gain);
        cast.input = [this, round, format = formats.input](std::size_t first, std::size_t stride,
                                                           std::span<double> elements) {
            tensors_.input(first, stride, elements);
            for (double& value : elements) value = round(format, value);
        };
        return cast;
    }

    static void add_cast(const Tensors& cast, const std::vector<Explanation>& roundings,
                         std::vector<Finding>& findings) {
        const Catalogue catalogue(cast);
        std::vector<Hypothesis> hypotheses =
            search(cast, catalogue, ordinary_sample(cast), View::plain, 1,
                   {cost_of_one_mistake, named_margin, true});
        verify(cast, catalogue, *view_of(cast, View::plain), hypotheses);
        for (const Hypothesis& h : hypotheses) {
            Finding finding;
            finding.explanations = roundings;
            for (const Explanation& e : h.explanations) {
                // Within that format a rounded mean or root says the same.
                if (!is_imprecision(e)) finding.explanations.push_back(e);
            }
            const bool known = std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
                return agree(f.explanations, finding.explanations);
            });
            if (known) continue;
            finding.rows = h.rows;
            finding.largest_distance = h.largest_distance;
            finding.cost = cast_cost + h.cost + 0.05 * static_cast<double>(roundings.size() - 1) +
                           (is_as_imprecise(roundings[0]) ? cost_of_no_name : 0);
            findings.push_back(std::move(finding));
        }
    }

    // Half of the sample spread over the view, half of the rows that are wrong; parts of a row are
    // taken from the rows of the sample, each from another place.
    std::vector<std::size_t> sample_of(const Rows& rows, const ViewChoice& choice) const {
        std::vector<std::size_t> indices;
        if (choice.groups > 1) {
            const auto sampled = sampled_rows(rows.count() / choice.groups, tensors_.width);
            const std::size_t half = (sample_size(rows.width()) + 1) / 2;
            const std::size_t parts =
                std::min(choice.groups, (half + sampled.size() - 1) / sampled.size());
            for (std::size_t i = 0; i < sampled.size(); ++i) {
                for (std::size_t part = 0; part < parts; ++part) {
                    indices.push_back(sampled[i] * choice.groups + (i + part) % choice.groups);
                }
            }
        } else {
            const std::size_t most = sample_size(rows.width());
            indices = some_of(sampled_rows(rows.count(), rows.width()), most - most / 2);
            if (choice.view == View::plain) {
                const auto wrong = some_of(readable(rows, outside_), most / 2);
                indices.insert(indices.end(), wrong.begin(), wrong.end());
            }
        }
        std::erase_if(indices, [&](std::size_t k) {
            return !rows.can_read(k) || beyond_the_end(choice.view, k, rows.count());
        });
        return indices;
    }

    // A row that refutes what the sample allowed joins the sample, until nothing is refuted.
    void search_view(const ViewChoice& choice, double most_cost = SearchLimits{}.most_cost) {
        const auto rows = view_of(tensors_, choice.view, choice.groups);
        std::vector<std::size_t> indices = sample_of(*rows, choice);
        if (indices.empty()) return;
        for (int attempt = 0; attempt < 6; ++attempt) {
            std::sort(indices.begin(), indices.end());
            indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
            const std::vector<Row> sample = ordinary_rows(tensors_, *rows, indices);
            SearchLimits limits;
            limits.most_cost = most_cost;
            if (!found_.empty()) limits.most_cost = found_[0].cost + named_margin;
            std::vector<Hypothesis> hypotheses =
                search(tensors_, catalogue_, sample, choice.view, choice.groups, limits);
            if (hypotheses.empty()) return;
            const double cheapest = hypotheses[0].cost;
            const auto refuting = verify(tensors_, catalogue_, *rows, hypotheses);
            const bool stands = !hypotheses.empty() && hypotheses[0].cost == cheapest;
            if (stands || !refuting) {
                for (Hypothesis& h : hypotheses) add_row_beyond(*rows, h);
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

std::vector<Finding> find_everywhere(const Tensors& tensors, const Catalogue& catalogue,
                                     const std::vector<std::size_t>& outside) {
    return Everywhere(tensors, catalogue, outside).run();
}

}  // namespace rmsnorm::judge
