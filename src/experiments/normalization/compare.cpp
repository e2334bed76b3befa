#include "experiments/normalization/compare.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/rms_norm.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

Comparison comparison(const char* name, const Vector& input, float epsilon) {
    const auto layer = plain_layer_norm(input, epsilon);
    const auto rms = plain_rms_norm(input, epsilon);
    float largest = 0;
    for (std::size_t i = 0; i < layer.output.size(); ++i) {
        largest = std::max(largest, std::fabs(layer.output[i] - rms.output[i]));
    }
    return {name, input, layer.mean, layer.output, rms.output, largest};
}

// How many neighbours in the input's ascending order descend in `output`.
std::size_t reordered(const Vector& input, const Vector& output) {
    std::vector<std::size_t> order(input.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return input[a] < input[b]; });
    std::size_t count = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (!(output[order[i - 1]] <= output[order[i]])) ++count;
    }
    return count;
}

// The sign of a zero does not count: adding a beta of zero takes it away.
std::size_t different_values(const Vector& a, const Vector& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i]) ++count;
    }
    return count;
}

}  // namespace

std::vector<Input> CompareInputs::declared() {
    const Accepted vector{.most_elements = widest, .decimals = {{1}}};
    return {epsilon_input(epsilon),
            {"zero-centered", &zero_centered, "a vector whose mean is zero", vector},
            {"positive-offset", &positive_offset, "the same with ten added", vector},
            {"mixed", &mixed, "a vector with a mean of its own", vector}};
}

Compare compare(const CompareInputs& inputs) {
    Compare evidence{inputs.epsilon, {}, {}};
    const auto add = [&](const char* name, const Vector& input) {
        evidence.comparisons.push_back(comparison(name, input, inputs.epsilon));
        for (Check& check : comparison_checks(evidence.comparisons.back())) {
            evidence.checks.push_back(std::move(check));
        }
    };
    add("zero-centered", inputs.zero_centered);
    add("positive-offset", inputs.positive_offset);
    add("mixed", inputs.mixed);
    return evidence;
}

Record results(const Compare& evidence) {
    Record record;
    for (const Comparison& comparison : evidence.comparisons) {
        record.add(comparison.name,
                   Record()
                       .add("input", figures(comparison.input, {1}))
                       .add("layer_norm", figures(comparison.layer_norm, {3, numeric::Plus::shown}))
                       .add("rms_norm", figures(comparison.rms_norm, {3, numeric::Plus::shown}))
                       .add("mean", figure(comparison.mean, {3}))
                       .add("largest_difference", figure(comparison.largest_difference, {3})));
    }
    return Record().add("compare", std::move(record));
}

std::string text(const Compare& evidence, Extent extent) {
    const Record results_of_run = results(evidence);
    std::string lines;
    for (const Field& f : record_field(results_of_run, "compare").fields) {
        lines += record_line("compare_" + f.key, std::get<Record>(f.datum.value), extent);
    }
    return lines + note_lines(notes(evidence));
}

std::vector<std::string> notes(const Compare&) {
    return {
        "with a mean of zero the variance is the mean square and both formulas are one; an offset "
        "raises the mean square alone"};
}

std::vector<Check> comparison_checks(const Comparison& comparison) {
    std::vector<Check> checks;
    // Subtracting a zero changes no number, and then both formulas are one.
    if (comparison.mean == 0) {
        checks.push_back(at_most(
            comparison.name + "-agreement", "a zero mean makes the two outputs the same numbers",
            static_cast<double>(different_values(comparison.layer_norm, comparison.rms_norm)), 0));
    }
    // Subtraction, and multiplication by a positive number, are monotonic also when they round.
    checks.push_back(
        at_most(comparison.name + "-order", "both outputs keep the input's order",
                static_cast<double>(reordered(comparison.input, comparison.layer_norm) +
                                    reordered(comparison.input, comparison.rms_norm)),
                0));
    return checks;
}

}  // namespace rmsnorm::experiments::normalization
