#include "experiments/normalization/stats.hpp"

#include <algorithm>
#include <cmath>

#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

VectorStatistics statistics(const std::string& key, const Vector& input) {
    nn::require_vector("Statistics", input.size(), 0);
    const auto [mean, variance] = nn::moments<double, float>(input);
    if (!std::isfinite(variance)) {
        throw InputRejection({key}, "found values whose variance is not finite in binary32",
                             "values whose deviations have squares of at most 3.4e38");
    }
    const auto [smallest, largest] = std::minmax_element(input.begin(), input.end());
    const float deviation = std::sqrt(variance);
    const float range = *largest - *smallest;
    return {
        input,    mean,
        variance, deviation,
        range,    deviation == 0 ? 0 : static_cast<double>(range) / static_cast<double>(deviation)};
}

// The decimals of mean, variance and standard deviation.
struct Quoted {
    int mean;
    int variance;
    int deviation;
};

Record record(const VectorStatistics& s, Quoted decimals) {
    return Record()
        .add("mean", figure(s.mean, {decimals.mean}))
        .add("variance", figure(s.variance, {decimals.variance}))
        .add("standard_deviation", figure(s.standard_deviation, {decimals.deviation}))
        .add("range", figure(s.range, {decimals.deviation}))
        .add("span", figure64(s.span, {4}));
}

}  // namespace

std::vector<Input> StatsInputs::declared() {
    Input first = vector_input("a", a, "vector a", {1});
    first.accepted.option = "--input";
    Input second = vector_input("b", b, "vector b", {3});
    second.accepted.option = "--other";
    return {first, second};
}

Stats stats(const StatsInputs& inputs) {
    Stats evidence{statistics("a", inputs.a), statistics("b", inputs.b), {}};
    evidence.checks = statistics_checks("a", evidence.a);
    for (Check& check : statistics_checks("b", evidence.b)) {
        evidence.checks.push_back(std::move(check));
    }
    return evidence;
}

Record results(const Stats& evidence) {
    return Record().add(
        "stats",
        Record().add("a", record(evidence.a, {2, 2, 2})).add("b", record(evidence.b, {4, 8, 6})));
}

std::string text(const Stats& evidence, Extent extent) {
    const Record results_of_run = results(evidence);
    const Record& record = record_field(results_of_run, "stats");
    const auto lines_of = [&](const std::string& name, const Vector& input, Decimals decimals) {
        const std::string line = "stats_" + name;
        return Lines()
                   .line(line + "_input")
                   .text(datum_text(figures(input, decimals), extent))
                   .str() +
               record_line(line, record_field(record, name), extent);
    };
    const std::string lines =
        lines_of("a", evidence.a.input, {1}) + lines_of("b", evidence.b.input, {3});
    return lines + note_lines(notes(evidence));
}

std::vector<std::string> notes(const Stats& evidence) {
    std::vector<std::string> sentences{
        "span is the range in standard deviations: the shape, whatever the scale"};
    const auto lost = [](const VectorStatistics& s) { return s.variance == 0 && s.range > 0; };
    if (lost(evidence.a) || lost(evidence.b)) {
        sentences.emplace_back(
            "a span of 0 stands where the standard deviation is zero though deviations are not: "
            "their mean square is too small for binary32");
    }
    return sentences;
}

std::vector<Check> statistics_checks(const std::string& name, const VectorStatistics& statistics) {
    const auto width = static_cast<double>(statistics.input.size());
    const auto first = static_cast<double>(statistics.input.front());
    const auto mean = static_cast<double>(statistics.mean);
    const auto variance = static_cast<double>(statistics.variance);
    double shifted_sum = 0;
    double shifted_squares = 0;
    for (const float value : statistics.input) {
        const double shifted = static_cast<double>(value) - first;
        shifted_sum += shifted;
        shifted_squares += shifted * shifted;
    }
    const double shifted_mean = shifted_sum / width;
    const double shifted_square = shifted_squares / width;
    // Sum and quotient round to binary64, and then the mean to binary32 or, where that is
    // subnormal, to a multiple of 2^-149.
    const double sum_error = (width + 2) * binary64_unit *
                             (std::fabs(first) + std::sqrt(shifted_square) + std::fabs(mean));
    const double mean_error = binary32_unit * std::fabs(mean) + sum_error + 0x1p-150;
    // A mean that is off by e adds e^2 to the mean square of the deviations. A deviation, its
    // square and the mean of the squares round to binary32, which is four units, and the fifth is
    // for terms of second order; squares may be subnormal. The reference cancels in binary64.
    const double variance_error = mean_error * mean_error +
                                  5 * binary32_unit * (variance + mean_error * mean_error) +
                                  (2 * width + 8) * binary64_unit * shifted_square + 0x1p-149;
    return {at_most(name + "-mean", "the mean is the average, rounded once to binary32",
                    std::fabs(mean - (first + shifted_mean)), mean_error),
            at_most(name + "-variance",
                    "the variance agrees with binary64 deviations from the first value",
                    std::fabs(variance - (shifted_square - shifted_mean * shifted_mean)),
                    variance_error)};
}

}  // namespace rmsnorm::experiments::normalization
