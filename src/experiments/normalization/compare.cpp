#include "experiments/normalization/compare.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "numeric/bits.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

Comparison comparison(const ComparisonCase& comparison_case, float epsilon) {
    const auto layer = plain_layer_norm(comparison_case.input, epsilon);
    const auto rms = plain_rms_norm(comparison_case.input, epsilon);
    float largest = 0;
    for (std::size_t i = 0; i < layer.output.size(); ++i) {
        largest = std::max(largest, std::fabs(layer.output[i] - rms.output[i]));
    }
    return {
        comparison_case.name, comparison_case.input, layer.mean, layer.output, rms.output, largest};
}

// How many neighbours in the input's ascending order descend in `output`.
std::size_t reordered(const Vector& input, const Vector& output) {
    std::vector<std::size_t> order(input.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return input[a] < input[b]; });
    std::size_t count = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (output[order[i - 1]] > output[order[i]]) ++count;
    }
    return count;
}

std::size_t different_bits(const Vector& a, const Vector& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!numeric::same_bits(a[i], b[i])) ++count;
    }
    return count;
}

}  // namespace

std::vector<ComparisonCase> book_comparison_cases() {
    return {{"zero-centered", {-2, -1, 0, 1, 2}},
            {"positive-offset", {8, 9, 10, 11, 12}},
            {"mixed", {3, -1, 0.5F, 2, -0.5F}}};
}

Compare compare(const std::vector<ComparisonCase>& cases, float epsilon) {
    Compare evidence{epsilon, {}, {}};
    for (const ComparisonCase& comparison_case : cases) {
        evidence.comparisons.push_back(comparison(comparison_case, epsilon));
        for (Check& check : comparison_checks(evidence.comparisons.back())) {
            evidence.checks.push_back(std::move(check));
        }
    }
    return evidence;
}

Record inputs(const Compare& evidence) {
    Record record = Record().add("epsilon", figure(evidence.epsilon, {6}));
    for (const Comparison& comparison : evidence.comparisons) {
        record.add(comparison.name, figures(comparison.input, {1}));
    }
    return record;
}

Record results(const Compare& evidence) {
    return Record().add("compare", compare_record(evidence));
}

Record compare_record(const Compare& evidence) {
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
    return record;
}

std::vector<Check> comparison_checks(const Comparison& comparison) {
    std::vector<Check> checks;
    // Subtracting a zero changes no bit, and then both formulas are one.
    if (comparison.mean == 0) {
        checks.push_back(at_most(
            comparison.name + "-agreement", "a zero mean makes the two outputs the same bits",
            static_cast<double>(different_bits(comparison.layer_norm, comparison.rms_norm)), 0));
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
