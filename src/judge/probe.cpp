// Small inputs on which mistakes differ.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "judge/right_test.hpp"
#include "judge/verdict.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::judge {
namespace {

// Rows whose root mean square is about one of `sizes` times that of epsilon, in turn.
Probe candidate(double epsilon, std::size_t rows, std::size_t width,
                const std::vector<double>& sizes, std::size_t salt) {
    Probe probe{rows, width, epsilon, {}, {}};
    const double unit = epsilon > 0 ? std::sqrt(epsilon) : 1;
    for (std::size_t k = 0; k < rows; ++k) {
        // Numbers of few bits, so that every format holds them.
        int exponent = 0;
        std::frexp(unit * sizes[k % sizes.size()], &exponent);
        for (std::size_t i = 0; i < width; ++i) {
            const auto step = static_cast<int>((7 * i + 5 * k + i * i + salt * (k + 3 * i)) % 11);
            const double size = std::ldexp(static_cast<double>(8 + step), -3);
            const double sign = (i + k) % 5 == 4 ? -1 : 1;
            probe.input.push_back(sign * std::ldexp(size, exponent - static_cast<int>(k) % 4));
        }
    }
    for (std::size_t i = 0; i < width; ++i) {
        const double size = std::ldexp(static_cast<double>(6 + (5 * i + salt) % 9), -3);
        probe.gain.push_back(i % 4 == 2 ? -size : size);
    }
    return probe;
}

// The hypothesis in another catalogue; a formula that is not there keeps its value as an estimate.
std::optional<Hypothesis> moved(const Hypothesis& h, const Catalogue& from, const Catalogue& to) {
    Hypothesis result = h;
    if (!h.formula) return result;
    const Explanation& wanted = from.formulas[*h.formula].explanation;
    for (std::size_t i = 0; i < to.formulas.size(); ++i) {
        if (to.formulas[i].explanation != wanted) continue;
        result.formula = i;
        return result;
    }
    if (!wanted.divisor && !wanted.value) return std::nullopt;
    result.formula.reset();
    result.estimate = wanted.divisor ? Estimate::divisor : Estimate::epsilon;
    return result;
}

// Whether an output by one finding shows that it is none by another; and, where the two are one,
// that it is no right one.
using Told = std::vector<std::vector<bool>>;

class TriedProbe {
  public:
    TriedProbe(const Tensors& judged, const Probe& probe) : probe_(probe) {
        tensors_.rows = probe.rows;
        tensors_.width = probe.width;
        tensors_.formats = judged.formats;
        tensors_.epsilon = probe.epsilon;
        tensors_.gain_offset = judged.gain_offset;
        tensors_.gain = probe.gain;
        tensors_.input = reader_of(probe_.input);
        tensors_.output = reader_of(probe_.input);
    }

    bool is_in_formats() const {
        const auto all_in = [](numeric::NumberFormat format, const std::vector<double>& values) {
            return std::all_of(values.begin(), values.end(),
                               [&](double value) { return numeric::is_in(format, value); });
        };
        return all_in(tensors_.formats.input, probe_.input) &&
               all_in(tensors_.formats.gain, probe_.gain);
    }

    Told told(const Catalogue& judged, const std::vector<const Hypothesis*>& findings) const {
        const Catalogue catalogue(tensors_);
        Told told(findings.size(), std::vector<bool>(findings.size()));
        std::vector<std::optional<Hypothesis>> here;
        for (const Hypothesis* h : findings) here.push_back(moved(*h, judged, catalogue));
        RowSquares squares(tensors_);
        for (std::size_t a = 0; a < here.size(); ++a) {
            const std::vector<Row> outputs =
                here[a] ? outputs_by(catalogue, *here[a]) : std::vector<Row>{};
            if (outputs.empty()) continue;
            told[a][a] = !is_right(outputs);
            for (std::size_t b = 0; b < here.size(); ++b) {
                if (a == b || !here[b]) continue;
                std::vector<Hypothesis> other = {*here[b]};
                for (const Row& row : outputs) {
                    keep_fitting(tensors_, catalogue, row, squares, other);
                }
                told[a][b] = other.empty();
            }
        }
        return told;
    }

  private:
    // None where the finding gives some row no output.
    std::vector<Row> outputs_by(const Catalogue& catalogue, const Hypothesis& h) const {
        std::vector<Row> rows(tensors_.rows);
        for (std::size_t k = 0; k < tensors_.rows; ++k) {
            view_of(tensors_, View::plain)->read(k, rows[k]);
            rows[k].output = simulated_output(tensors_, catalogue, rows[k], h);
            if (rows[k].output.empty()) return {};
        }
        return rows;
    }

    bool is_right(const std::vector<Row>& rows) const {
        const RightTest right(tensors_);
        std::vector<bool> all(right.forms(), true);
        std::vector<bool> fits;
        for (const Row& row : rows) {
            const auto scale = right.scale(row.input);
            if (!scale) continue;
            right.fits(row, *scale, fits);
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = all[i] && fits[i];
        }
        return std::find(all.begin(), all.end(), true) != all.end();
    }

    Probe probe_;
    Tensors tensors_;
};

// How much an input tells; 0 where it tells no finding from another.
std::size_t count_of(const Told& told) {
    std::size_t wrong = 0;
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < told.size(); ++a) {
        for (std::size_t b = 0; b < told.size(); ++b) {
            if (told[a][b]) ++(a == b ? wrong : pairs);
        }
    }
    return pairs == 0 ? 0 : pairs + wrong;
}

std::string name_of(const Hypothesis& h) {
    std::string name;
    for (const Explanation& e : h.explanations) {
        name += (name.empty() ? "" : " with ") + e.id;
        if (e.value) name += " " + numeric::shortest(*e.value, 4);
        if (e.dtype) name += " in " + std::string(numeric::dtype_name(*e.dtype));
    }
    return name;
}

// What no input told apart: an output by the first may be one by the second.
std::vector<Fact> undecided(const Told& ever, const std::vector<const Hypothesis*>& findings,
                            std::size_t tried) {
    constexpr std::size_t most = 3;
    std::string pairs;
    std::size_t count = 0;
    for (std::size_t a = 0; a < findings.size(); ++a) {
        for (std::size_t b = 0; b < findings.size(); ++b) {
            if (a == b || ever[a][b] || (b < a && !ever[b][a])) continue;
            const std::string from = name_of(*findings[a]);
            const std::string to = name_of(*findings[b]);
            if (from == to) continue;
            if (++count > most) continue;
            pairs += (count > 1 ? ", " : "") + from + " from " + to;
        }
    }
    if (count == 0) return {};
    if (count > most) pairs += " and " + std::to_string(count - most) + " more pairs";
    return {{"none of " + std::to_string(tried) + " inputs that were tried tells in this format " +
             pairs}};
}

}  // namespace

ProbeSearch find_probe(const Tensors& tensors, const std::vector<Finding>& findings) {
    std::vector<const Hypothesis*> computed;
    for (const Finding& finding : findings) {
        if (finding.hypothesis && finding.hypothesis->view == View::plain) {
            computed.push_back(&*finding.hypothesis);
        }
    }
    if (computed.size() < 2) return {};
    const Catalogue catalogue(tensors);
    const std::size_t all = computed.size() * computed.size();
    // Below epsilon itself, as a part of its root.
    const double least = tensors.epsilon > 0 ? std::sqrt(tensors.epsilon) / 4 : 0.25;
    const std::vector<std::vector<double>> sizes = {{1, least, 30, 0.1}, {1}, {0.1}, {30}, {1000},
                                                    {1, 0.3, 3, 0.7}};
    Told ever(computed.size(), std::vector<bool>(computed.size()));
    ProbeSearch result;
    std::size_t most = 0;
    std::size_t tried = 0;
    for (const auto& [rows, width] :
         {std::pair<std::size_t, std::size_t>{2, 4}, {4, 8}, {4, 33}, {8, 64}}) {
        for (std::size_t salt = 0; salt < 3; ++salt) {
            for (const std::vector<double>& of_rows : sizes) {
                Probe probe = candidate(tensors.epsilon, rows, width, of_rows, salt);
                const TriedProbe trial(tensors, probe);
                if (!trial.is_in_formats()) continue;
                ++tried;
                const Told told = trial.told(catalogue, computed);
                for (std::size_t a = 0; a < ever.size(); ++a) {
                    for (std::size_t b = 0; b < ever.size(); ++b) {
                        ever[a][b] = ever[a][b] || told[a][b];
                    }
                }
                const std::size_t count = count_of(told);
                if (count <= most) continue;
                most = count;
                result.probe = std::move(probe);
                if (count == all) return result;
            }
        }
    }
    result.facts = undecided(ever, computed, tried);
    return result;
}

}  // namespace rmsnorm::judge
