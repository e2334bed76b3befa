// Which input tells explanations apart.
#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "judge/probe_inputs.hpp"
#include "judge/quoted.hpp"
#include "judge/right_test.hpp"

namespace rmsnorm::judge {
namespace {

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

// The reading, and those that differ in the places of its roundings alone.
std::vector<Reading> alike(const Catalogue& catalogue, const Reading& reading) {
    std::vector<Reading> all = {reading};
    for (const Reading& other : catalogue.readings) {
        if (other.explanations == reading.explanations && other.structure != reading.structure) {
            all.push_back(other);
        }
    }
    return all;
}

// All that the catalogue has under the names of the hypothesis: other wordings of its formula, and
// other places for the roundings. Whoever judges the probe alone cannot leave them out.
std::vector<Hypothesis> variants(const Catalogue& catalogue, const Hypothesis& h) {
    std::vector<std::optional<std::size_t>> formulas = {h.formula};
    for (std::size_t i = 0; h.formula && i < catalogue.formulas.size(); ++i) {
        if (i != *h.formula && is_variant(catalogue.formulas[i].explanation,
                                          catalogue.formulas[*h.formula].explanation)) {
            formulas.push_back(i);
        }
    }
    std::vector<Hypothesis> all;
    const auto add = [&](const Reading& reading) {
        for (const auto& formula : formulas) {
            all.push_back(h);
            all.back().reading = reading;
            all.back().formula = formula;
        }
    };
    for (const Reading& reading : alike(catalogue, h.reading)) add(reading);
    return all;
}

// Whether an output by one finding shows that it is none by another; and, where the two are one,
// that it is no right one.
using Told = std::vector<std::vector<bool>>;

// The probe's tensors, whose output is yet to be computed; the probe outlives them.
Tensors tensors_of(const Probe& probe, const Tensors& judged) {
    Tensors tensors;
    tensors.rows = probe.rows;
    tensors.width = probe.width;
    tensors.formats = judged.formats;
    tensors.epsilon = probe.epsilon;
    tensors.gain_offset = judged.gain_offset;
    tensors.gain = probe.gain;
    tensors.input = reader_of(probe.input);
    tensors.output = reader_of(probe.input);
    return tensors;
}

class TriedProbe {
  public:
    TriedProbe(const Tensors& judged, const Probe& probe)
        : tensors_(tensors_of(probe, judged)), catalogue_(tensors_) {}

    Told told(const Catalogue& judged, const std::vector<const Hypothesis*>& findings) const {
        Told told(findings.size(), std::vector<bool>(findings.size()));
        std::vector<std::optional<Hypothesis>> here;
        for (const Hypothesis* h : findings) here.push_back(moved(*h, judged, catalogue_));
        RowSquares squares(tensors_);
        for (std::size_t a = 0; a < here.size(); ++a) {
            const std::vector<Row> outputs = here[a] ? outputs_by(*here[a]) : std::vector<Row>{};
            if (outputs.empty()) continue;
            told[a][a] = !is_right(outputs);
            for (std::size_t b = 0; b < here.size(); ++b) {
                if (a == b || !here[b]) continue;
                std::vector<Hypothesis> other = variants(catalogue_, *here[b]);
                for (const Row& row : outputs) {
                    keep_fitting(tensors_, catalogue_, row, squares, other);
                }
                told[a][b] = other.empty();
            }
        }
        return told;
    }

    // How many ids of formulas fit an output by each finding, all together.
    std::size_t names(const Catalogue& judged,
                      const std::vector<const Hypothesis*>& findings) const {
        std::size_t count = 0;
        for (const Hypothesis* h : findings) {
            const std::optional<Hypothesis> here = moved(*h, judged, catalogue_);
            if (!here) continue;
            std::set<std::string> ids;
            const std::vector<Row> outputs = outputs_by(*here);
            for (const Reading& reading : alike(catalogue_, here->reading)) {
                for (const std::size_t i : fitting(*here, reading, outputs)) {
                    ids.insert(catalogue_.formulas[i].explanation.id);
                }
            }
            count += ids.size();
        }
        return count;
    }

  private:
    // The formulas that fit the outputs, with the input and gain of the hypothesis.
    std::vector<std::size_t> fitting(const Hypothesis& h, const Reading& reading,
                                     const std::vector<Row>& outputs) const {
        std::vector<std::size_t> left(outputs.empty() ? 0 : catalogue_.formulas.size());
        std::iota(left.begin(), left.end(), std::size_t{0});
        RowSquares squares(tensors_);
        for (const Row& row : outputs) {
            RowTest test = test_row(tensors_, row, catalogue_.inputs[h.input],
                                    catalogue_.gains[h.gain], reading);
            if (test.measured.empty()) return {};
            test.context.all_rows = &squares;
            std::erase_if(left, [&](std::size_t i) {
                const auto scale = scale_for(test, catalogue_.formulas[i].scale);
                return scale && !test.measured.meets(scale->interval());
            });
        }
        return left;
    }

    // None where the finding gives some row no output.
    std::vector<Row> outputs_by(const Hypothesis& h) const {
        std::vector<Row> rows(tensors_.rows);
        const auto view = view_of(tensors_, View::plain);
        for (std::size_t k = 0; k < tensors_.rows; ++k) {
            view->read(k, rows[k]);
            rows[k].output = simulated_output(tensors_, catalogue_, rows[k], h);
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

    Tensors tensors_;
    Catalogue catalogue_;
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
        if (e.value) name += " " + quoted(*e.value, 4);
        if (e.dtype) name += " in " + std::string(numeric::dtype_name(*e.dtype));
    }
    return name;
}

std::string name_of(const Finding& finding) { return name_of(*finding.hypothesis); }

std::vector<Telling> tellings(const Told& told, const std::vector<std::size_t>& computed) {
    std::vector<Telling> all;
    for (std::size_t a = 0; a < computed.size(); ++a) {
        Telling telling{computed[a]};
        for (std::size_t b = 0; b < computed.size(); ++b) {
            if (a == b) continue;
            (told[a][b] ? telling.told_from : telling.not_told_from).push_back(computed[b]);
        }
        all.push_back(std::move(telling));
    }
    return all;
}

bool tells(const std::vector<Telling>& all, std::size_t finding, std::size_t from) {
    return std::any_of(all.begin(), all.end(), [&](const Telling& telling) {
        return telling.finding == finding &&
               std::find(telling.told_from.begin(), telling.told_from.end(), from) !=
                   telling.told_from.end();
    });
}

}  // namespace

std::string left_open(const std::vector<Telling>& all, const std::vector<Finding>& findings) {
    constexpr std::size_t most = 3;
    std::string pairs;
    std::size_t count = 0;
    for (const Telling& telling : all) {
        for (const std::size_t other : telling.not_told_from) {
            // A pair is named once.
            if (other < telling.finding && !tells(all, other, telling.finding)) continue;
            const std::string from = name_of(findings[telling.finding]);
            const std::string to = name_of(findings[other]);
            if (from == to) continue;
            if (++count > most) continue;
            pairs += (count > 1 ? ", " : "") + from + " from " + to;
        }
    }
    if (count > most) pairs += " and " + std::to_string(count - most) + " more pairs";
    return pairs;
}

ProbeSearch find_probe(const Tensors& tensors, const std::vector<Finding>& findings) {
    std::vector<std::size_t> computed;
    std::vector<const Hypothesis*> hypotheses;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const auto& h = findings[i].hypothesis;
        if (!h || h->view != View::plain) continue;
        computed.push_back(i);
        hypotheses.push_back(&*h);
    }
    if (computed.size() < 2) return {};
    const Catalogue catalogue(tensors);
    Told ever(computed.size(), std::vector<bool>(computed.size()));
    ProbeSearch result;
    std::size_t most = 0;
    std::size_t fewest = 0;
    const std::vector<Probe> inputs = probe_inputs(tensors);
    for (const Probe& probe : inputs) {
        const TriedProbe trial(tensors, probe);
        const Told told = trial.told(catalogue, hypotheses);
        for (std::size_t a = 0; a < ever.size(); ++a) {
            for (std::size_t b = 0; b < ever.size(); ++b) ever[a][b] = ever[a][b] || told[a][b];
        }
        const std::size_t count = count_of(told);
        const bool tells_all = count == computed.size() * computed.size();
        if (count < most || (count == most && !tells_all)) continue;
        // Of the inputs that tell all, the one on which the fewest other mistakes fit.
        const std::size_t names = tells_all ? trial.names(catalogue, hypotheses) : 0;
        if (count == most && names >= fewest) continue;
        most = count;
        fewest = names;
        result.probe = probe;
        result.probe->tells = tellings(told, computed);
        if (tells_all && names <= computed.size()) return result;
    }
    const std::string open = left_open(tellings(ever, computed), findings);
    if (!open.empty()) {
        result.facts.push_back({"none of " + std::to_string(inputs.size()) +
                                " inputs that were tried tells in this format " + open});
    }
    return result;
}

}  // namespace rmsnorm::judge
