#include "judge/replacement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "judge/low_precision.hpp"

namespace rmsnorm::judge {
namespace {

std::vector<double> each(const std::vector<double>& values,
                         const std::function<double(double)>& f) {
    std::vector<double> result(values.size());
    std::transform(values.begin(), values.end(), result.begin(), f);
    return result;
}

InputReplacement elementwise(Explanation explanation, double cost,
                             std::function<double(double)> f) {
    return {std::move(explanation), cost,
            [f = std::move(f)](const Row& row, const Tensors&) -> ReplacedInput {
                return {each(row.input, f), {}};
            }};
}

ReplacedInput centered(const Row& row, const Tensors& tensors) {
    const double u = numeric::unit_roundoff(tensors.formats.arithmetic());
    const double n = static_cast<double>(row.input.size());
    DoubleDouble total;
    double magnitudes = 0;
    for (const double value : row.input) {
        total = total + DoubleDouble(value);
        magnitudes += std::fabs(value);
    }
    const DoubleDouble mean = total / DoubleDouble(n);
    ReplacedInput result;
    result.usable = false;
    double squares = 0;
    for (const double value : row.input) {
        const double difference = (DoubleDouble(value) - mean).high;
        const double error = u * (magnitudes + std::fabs(difference));
        result.values.push_back(difference);
        result.relative_error.push_back(error / std::max(std::fabs(difference), 1e-300));
        if (result.relative_error.back() < 0.01) result.usable = true;
        squares += difference * difference;
    }
    result.scale_error = 2 * u * magnitudes / std::max(std::sqrt(squares / n), 1e-300);
    return result;
}

// The right output, as the input of a second pass.
ReplacedInput normalized(const Row& row, const Tensors& tensors) {
    const NumberFormat output = tensors.formats.output;
    const DoubleDouble squares = sum_of_squares(row.input, NumberFormat::binary64);
    const double n = static_cast<double>(row.input.size());
    const double scale = 1 / std::sqrt(squares.high / n + tensors.epsilon);
    // The first pass is known to a unit or two of the output, and to its own scale's bound.
    const double error = 3 * numeric::unit_roundoff(output) +
                         n * numeric::unit_roundoff(tensors.formats.arithmetic());
    ReplacedInput result;
    result.scale_error = error;
    for (std::size_t i = 0; i < row.input.size(); ++i) {
        const double gain = tensors.gain_offset + row.gain[i];
        const double exact = gain * row.input[i];
        const double value = numeric::round_to(output, exact * scale);
        const bool lost = exact != 0 && std::fabs(value) < numeric::smallest_normal(output);
        result.values.push_back(value);
        result.relative_error.push_back(lost ? 1.0 : error);
    }
    return result;
}

GainReplacement by_element(std::optional<Explanation> explanation, double cost,
                           std::function<double(double)> f) {
    return {std::move(explanation), cost,
            [f = std::move(f)](const Row& row, const Tensors&) { return each(row.gain, f); }};
}

GainReplacement by_index(Explanation explanation, double cost,
                         std::function<std::size_t(std::size_t i, std::size_t n)> source) {
    return {std::move(explanation), cost,
            [source = std::move(source)](const Row& row, const Tensors& tensors) {
                std::vector<double> gain(row.gain.size());
                for (std::size_t i = 0; i < gain.size(); ++i) {
                    gain[i] = tensors.gain_offset + row.gain[source(i, gain.size())];
                }
                return gain;
            }};
}

}  // namespace

double by_binary32(NumberFormat format, double value) {
    return numeric::round_to(format, numeric::round_to(NumberFormat::binary32, value));
}

std::vector<InputReplacement> input_replacements(const Tensors& tensors) {
    std::vector<InputReplacement> inputs;
    inputs.push_back({std::nullopt, 0, [](const Row& row, const Tensors&) -> ReplacedInput {
                          return {row.input, {}};
                      }});
    inputs.push_back(elementwise({"sign", "", {}, {}, {}}, 1, [](double x) { return -x; }));
    inputs.push_back({Explanation{"mean-subtracted", "", {}, {}, {}}, 1, centered});
    inputs.push_back(
        {Explanation{"mean-subtracted", "and the mean square is that of the input", {}, {}, {}},
         1.1, centered, true});
    inputs.push_back(elementwise({"sign", "of the input is lost", {}, {}, {}}, 1.05,
                                 [](double x) { return std::fabs(x); }));
    for (const NumberFormat format : lower_formats(tensors.formats.arithmetic())) {
        if (format == tensors.formats.input) continue;
        inputs.push_back(elementwise({"input-low", "", {}, {}, format}, 1,
                                     [format](double x) { return numeric::round_to(format, x); }));
        if (tensors.formats.input == NumberFormat::binary64) {
            inputs.push_back(elementwise({"input-low", "by way of binary32", {}, {}, format}, 1.05,
                                         [format](double x) { return by_binary32(format, x); }));
        }
        inputs.push_back(
            elementwise({"input-low", "by cutting digits off", {}, {}, format}, 1.1,
                        [format](double x) { return numeric::round_toward_zero(format, x); }));
    }
    inputs.push_back({Explanation{"gain-before", "", {}, {}, {}}, 1.02,
                      [](const Row& row, const Tensors& all) -> ReplacedInput {
                          std::vector<double> gained(row.input.size());
                          for (std::size_t i = 0; i < gained.size(); ++i) {
                              gained[i] =
                                  numeric::round_to(all.formats.input,
                                                    row.input[i] * (all.gain_offset + row.gain[i]));
                          }
                          return {std::move(gained), {}};
                      },
                      false, true});
    inputs.push_back({Explanation{"layer-twice", "", {}, {}, {}}, 1.1, normalized});
    return inputs;
}

std::vector<GainReplacement> right_gains(const Tensors& tensors) {
    const double offset = tensors.gain_offset;
    std::vector<GainReplacement> gains;
    gains.push_back(by_element(std::nullopt, 0, [offset](double g) { return offset + g; }));
    if (offset == 0) return gains;
    const NumberFormat format = tensors.formats.gain;
    const NumberFormat arithmetic = tensors.formats.arithmetic();
    if (numeric::precision(format) < numeric::precision(arithmetic)) {
        gains.push_back(by_element(std::nullopt, 0, [offset, format](double g) {
            return numeric::round_to(format, offset + g);
        }));
    } else if (numeric::precision(format) > numeric::precision(arithmetic)) {
        // The sum may cancel, and so the rounding before it is no small error.
        gains.push_back(by_element(std::nullopt, 0, [offset, arithmetic](double g) {
            return offset + numeric::round_to(arithmetic, g);
        }));
    }
    return gains;
}

std::vector<GainReplacement> gain_replacements(const Tensors& tensors) {
    const double offset = tensors.gain_offset;
    std::vector<GainReplacement> gains = right_gains(tensors);
    gains.push_back(
        by_element(Explanation{"gain-missing", "", {}, {}, {}}, 1, [](double) { return 1.0; }));
    if (offset == 0) {
        gains.push_back(by_element(Explanation{"gain-plus-one", "", {}, {}, {}}, 1,
                                   [](double g) { return 1 + g; }));
    } else {
        gains.push_back(by_element(Explanation{"gain-offset-missing", "", {}, {}, {}}, 1,
                                   [](double g) { return g; }));
        gains.push_back(by_element(Explanation{"gain-offset-twice", "", {}, {}, {}}, 1,
                                   [offset](double g) { return 2 * offset + g; }));
    }
    gains.push_back(by_element(Explanation{"gain-squared", "", {}, {}, {}}, 1.02,
                               [offset](double g) { return (offset + g) * (offset + g); }));
    gains.push_back(by_element(Explanation{"sign", "of the gain is lost", {}, {}, {}}, 1.1,
                               [offset](double g) { return std::fabs(offset + g); }));
    gains.push_back(by_index({"gain-first", "", {}, {}, {}}, 1,
                             [](std::size_t, std::size_t) { return std::size_t{0}; }));
    gains.push_back(by_index({"gain-shifted", "by one", {}, {}, {}}, 1,
                             [](std::size_t i, std::size_t n) { return (i + n - 1) % n; }));
    gains.push_back(by_index({"gain-shifted", "by one the other way", {}, {}, {}}, 1.02,
                             [](std::size_t i, std::size_t n) { return (i + 1) % n; }));
    gains.push_back(by_index({"gain-shifted", "to the reverse order", {}, {}, {}}, 1.1,
                             [](std::size_t i, std::size_t n) { return n - 1 - i; }));
    for (const NumberFormat format : lower_formats(tensors.formats.arithmetic())) {
        if (format == tensors.formats.gain && offset == 0) continue;
        gains.push_back(by_element(
            Explanation{"gain-low", "", {}, {}, format}, 1,
            [offset, format](double g) { return numeric::round_to(format, offset + g); }));
        if (offset != 0 && format != tensors.formats.gain) {
            gains.push_back(by_element(
                Explanation{"gain-low", "before the offset", {}, {}, format}, 1.05,
                [offset, format](double g) { return offset + numeric::round_to(format, g); }));
        }
    }
    return gains;
}

}  // namespace rmsnorm::judge
