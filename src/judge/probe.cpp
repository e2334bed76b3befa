// Small inputs on which mistakes differ.
#include <algorithm>
#include <cmath>
#include <utility>

#include "judge/right_test.hpp"
#include "judge/verdict.hpp"

namespace rmsnorm::judge {
namespace {

// Rows whose root mean square is about `factor` times that of epsilon, and ordinary ones.
Probe candidate(double epsilon, std::size_t rows, std::size_t width, double factor) {
    Probe probe{rows, width, epsilon, {}, {}};
    const double unit = epsilon > 0 ? std::sqrt(epsilon) : 1;
    // Numbers of few bits, so that every format holds them.
    int exponent = 0;
    std::frexp(unit * factor, &exponent);
    for (std::size_t k = 0; k < rows; ++k) {
        for (std::size_t i = 0; i < width; ++i) {
            const auto step = static_cast<int>((7 * i + 5 * k + i * i) % 11);
            const double size = std::ldexp(static_cast<double>(8 + step), -3);
            const double sign = (i + k) % 5 == 4 ? -1 : 1;
            probe.input.push_back(sign * std::ldexp(size, exponent - static_cast<int>(k) % 4));
        }
    }
    for (std::size_t i = 0; i < width; ++i) {
        const double size = std::ldexp(static_cast<double>(6 + (5 * i) % 9), -3);
        probe.gain.push_back(i % 4 == 2 ? -size : size);
    }
    return probe;
}

ElementReader reader_of(const std::vector<double>& values) {
    return [&values](std::size_t first, std::size_t stride, std::span<double> elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = values[first + i * stride];
    };
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

class Trial {
  public:
    Trial(const Tensors& judged, const Probe& probe) : probe_(probe) {
        tensors_.rows = probe.rows;
        tensors_.width = probe.width;
        tensors_.formats = judged.formats;
        tensors_.epsilon = probe.epsilon;
        tensors_.gain_offset = judged.gain_offset;
        tensors_.gain = probe.gain;
        tensors_.input = reader_of(probe_.input);
        tensors_.output = reader_of(probe_.input);
    }

    // How many pairs of findings differ on the probe.
    std::size_t told(const Catalogue& judged, const std::vector<Finding>& findings) const {
        const Catalogue catalogue(tensors_);
        std::vector<std::vector<Row>> outputs;
        std::vector<Hypothesis> hypotheses;
        for (const Finding& finding : findings) {
            if (!finding.hypothesis || finding.hypothesis->view != View::plain) continue;
            const auto h = moved(*finding.hypothesis, judged, catalogue);
            if (!h) continue;
            std::vector<Row> rows;
            for (std::size_t k = 0; k < tensors_.rows; ++k) {
                Row row;
                view_of(tensors_, View::plain)->read(k, row);
                row.output = simulated_output(tensors_, catalogue, row, *h);
                if (row.output.empty()) break;
                rows.push_back(std::move(row));
            }
            outputs.push_back(std::move(rows));
            hypotheses.push_back(*h);
        }
        std::size_t count = 0;
        RowSquares squares(tensors_);
        for (std::size_t a = 0; a < hypotheses.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                std::vector<Hypothesis> one = {hypotheses[b]};
                for (const Row& row : outputs[a]) {
                    keep_fitting(tensors_, catalogue, row, squares, one);
                }
                if (one.empty()) ++count;
            }
        }
        return count;
    }

  private:
    Probe probe_;
    Tensors tensors_;
};

}  // namespace

std::optional<Probe> probe_for(const Tensors& tensors, const std::vector<Finding>& findings) {
    if (findings.size() < 2) return std::nullopt;
    const Catalogue catalogue(tensors);
    const std::size_t pairs = findings.size() * (findings.size() - 1) / 2;
    std::optional<Probe> best;
    std::size_t most = 0;
    for (const auto& [rows, width] : {std::pair<std::size_t, std::size_t>{2, 4}, {4, 8}, {4, 33}}) {
        for (const double factor : {1.0, 0.1, 30.0, 1000.0}) {
            Probe probe = candidate(tensors.epsilon, rows, width, factor);
            const std::size_t told = Trial(tensors, probe).told(catalogue, findings);
            if (told <= most) continue;
            most = told;
            best = std::move(probe);
            if (told == pairs) return best;
        }
    }
    return best;
}

}  // namespace rmsnorm::judge
