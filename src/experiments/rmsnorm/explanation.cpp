#include "experiments/rmsnorm/explanation.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "evidence/number_text.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::experiments {
namespace {

using Row = std::span<const double>;

// What an explanation of one row shows in full.
constexpr std::size_t most_terms = 8;
constexpr std::size_t most_rows = 4;

std::size_t shown(std::size_t count, std::size_t most, Extent extent) {
    return extent == Extent::full ? count : std::min(count, most);
}

std::string vector(Row values, Extent extent) {
    return figure_list(values, shown(values.size(), most_terms, extent));
}

// A number within a formula: a negative one in brackets.
std::string term(double value) {
    const std::string text = figure_text(value);
    return value < 0 ? "(" + text + ")" : text;
}

// "3^2 + 4^2": `one` of each place, joined; an abridged sum ends in "+ ...".
template <class One>
std::string sum(std::size_t count, Extent extent, One one) {
    std::string text;
    const std::size_t most = shown(count, most_terms, extent);
    for (std::size_t i = 0; i < most; ++i) text.append(i == 0 ? "" : " + ").append(one(i));
    return most < count ? text + " + ..." : text;
}

class Steps {
  public:
    void heading(const std::string& text) { text_ += (text_.empty() ? "" : "\n") + text + "\n"; }

    // The formula, then the numbers and their result on a line of their own.
    void step(const std::string& name, const std::string& formula, const std::string& numbers) {
        text_ += "  " + std::to_string(++count_) + ". " + name + ": " + formula + "\n     " +
                 numbers + "\n";
    }
    void note(const std::string& text) { text_ += text + "\n"; }
    std::string str() const { return text_; }

  private:
    std::string text_;
    int count_ = 0;
};

struct ForwardRow {
    Row x;
    Row gain;
    double epsilon;
    double mean_square;
    double inverse_rms;
    Row normalized;
    Row output;
};

void explain_statistic(Steps& steps, const ForwardRow& row, Extent extent) {
    const std::string width = std::to_string(row.x.size());
    const double stabilized = row.mean_square + row.epsilon;
    const double logarithm = numeric::log(stabilized);
    steps.step("mean square", "m = (x_1^2 + ... + x_d^2) / d, with d = " + width,
               "(" +
                   sum(row.x.size(), extent, [&](std::size_t i) { return term(row.x[i]) + "^2"; }) +
                   ") / " + width + " = " + figure_text(row.mean_square));
    steps.step("epsilon", "v = m + epsilon",
               figure_text(row.mean_square) + " + " + given_text(row.epsilon) + " = " +
                   figure_text(stabilized));
    steps.step("reciprocal root", "r = exp(-0.5 ln v), which is 1 / sqrt(v)",
               "exp(-0.5 * " + term(logarithm) + ") = " + figure_text(row.inverse_rms));
}

void explain_row(Steps& steps, const ForwardRow& row, Extent extent) {
    explain_statistic(steps, row, extent);
    steps.step("normalize", "n_i = x_i * r",
               vector(row.x, extent) + " * " + figure_text(row.inverse_rms) + " = " +
                   vector(row.normalized, extent));
    steps.step("gain", "y_i = n_i * g_i",
               vector(row.normalized, extent) + " * " + vector(row.gain, extent) + " = " +
                   vector(row.output, extent));
}

std::size_t width_of(const tensor::Tensor& input) { return input.shape().back(); }
std::size_t rows_of(const tensor::Tensor& input) { return input.size() / width_of(input); }

Row values_of_row(const tensor::Tensor& tensor, std::size_t row) {
    const std::size_t width = width_of(tensor);
    return tensor.values().subspan(row * width, width);
}

std::string heading(const char* what, const tensor::Tensor& input, std::size_t row, Extent extent) {
    return std::string(what) + ", row " + std::to_string(row + 1) + " of " +
           std::to_string(rows_of(input)) + ": x = " + vector(values_of_row(input, row), extent);
}

void note_rows(Steps& steps, std::size_t count, Extent extent) {
    if (count == 0) steps.note("The batch has no row: there is nothing to compute.");
    if (shown(count, most_rows, extent) < count) {
        steps.note("... and " + std::to_string(count - most_rows) +
                   " more rows, each in the same way; --full shows them");
    }
}

}  // namespace

std::string explanation(const Forward& evidence, Extent extent) {
    Steps all;
    const std::size_t count = rows_of(evidence.input);
    std::string text;
    for (std::size_t row = 0; row < shown(count, most_rows, extent); ++row) {
        Steps steps;
        steps.heading(heading("Forward", evidence.input, row, extent));
        explain_row(steps,
                    {values_of_row(evidence.input, row), evidence.gain.values(), evidence.epsilon,
                     evidence.mean_square[row], evidence.inverse_rms[row],
                     values_of_row(evidence.normalized, row), values_of_row(evidence.output, row)},
                    extent);
        text += (text.empty() ? "" : "\n") + steps.str();
    }
    note_rows(all, count, extent);
    return text + all.str();
}

std::string explanation(const Backward& evidence, Extent extent) {
    const Forward pass = forward(
        {evidence.input, evidence.gain, evidence.upstream, evidence.epsilon, evidence.gain_name});
    const std::size_t count = rows_of(evidence.input);
    const std::size_t width = width_of(evidence.input);
    std::string text;
    for (std::size_t row = 0; row < shown(count, most_rows, extent); ++row) {
        const Row x = values_of_row(evidence.input, row);
        const Row p = values_of_row(evidence.upstream, row);
        const Row g = evidence.gain.values();
        const double r = pass.inverse_rms[row];
        std::vector<double> weights;
        double inner = 0;
        for (std::size_t i = 0; i < width; ++i) {
            weights.push_back(p[i] * g[i]);
            inner += weights.back() * x[i];
        }
        Steps steps;
        steps.heading(heading("Backward", evidence.input, row, extent) +
                      ", p = " + vector(p, extent));
        explain_statistic(steps,
                          {x, g, evidence.epsilon, pass.mean_square[row], r,
                           values_of_row(pass.normalized, row), values_of_row(pass.output, row)},
                          extent);
        steps.step("through the gain", "w_i = p_i * g_i",
                   vector(p, extent) + " * " + vector(g, extent) + " = " + vector(weights, extent));
        steps.step("all features meet in r", "s = w_1 x_1 + ... + w_d x_d",
                   sum(width, extent,
                       [&](std::size_t i) { return term(weights[i]) + " * " + term(x[i]); }) +
                       " = " + figure_text(inner));
        steps.step("input gradient", "dx_i = r * w_i - x_i * r^3 * s / d",
                   figure_text(r) + " * " + vector(weights, extent) + " - " + vector(x, extent) +
                       " * " + figure_text(r) + "^3 * " + term(inner) + " / " +
                       std::to_string(width) + " = " +
                       vector(values_of_row(evidence.input_gradient, row), extent));
        text += (text.empty() ? "" : "\n") + steps.str();
    }
    Steps all;
    note_rows(all, count, extent);
    all.heading("Gain gradient: dg_i = the sum of p_i * n_i over the rows");
    all.note("     " + vector(evidence.gain_gradient.values(), extent));
    return text + all.str();
}

}  // namespace rmsnorm::experiments
