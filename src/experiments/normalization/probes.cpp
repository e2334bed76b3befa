#include "experiments/normalization/probes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "autodiff/gradient_check.hpp"
#include "evidence/gradient_decision.hpp"
#include "nn/normalization.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

using Wide = std::vector<double>;

constexpr double unit = rounding_unit;
constexpr double lost = underflow_loss;
constexpr double step64 = static_cast<double>(relative_step);

double norm(const Wide& values) {
    double squares = 0;
    for (const double value : values) squares += value * value;
    return std::sqrt(squares);
}

enum class Centering { none, mean };

double loss(const Wide& values, const Wide& weights, double epsilon, Centering centering) {
    const auto width = static_cast<double>(values.size());
    double center = 0;
    if (centering == Centering::mean) {
        for (const double value : values) center += value;
        center /= width;
    }
    double squares = 0;
    double products = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i] - center;
        squares += value * value;
        products += weights[i] * value;
    }
    return products / std::sqrt(squares / width + epsilon);
}

// `offset` is what was subtracted from the input at most, and rounded away in binary64.
Differences formula_differences(Wide values, const Wide& weights, float epsilon,
                                Centering centering, double offset) {
    const auto width = static_cast<double>(values.size());
    const double root =
        std::sqrt(norm(values) * norm(values) / width + static_cast<double>(epsilon));
    const double step = step64 * std::sqrt(width) * root;
    Differences differences{{}, {}, {}, norm(weights) / root};
    const double truncation = 2.02 * step64 * step64;
    const double probing =
        (4 * width + 20) * binary64_unit / step64 + 8 * binary64_unit * offset / root;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double before = values[i];
        const double plus = before + step;
        const double minus = before - step;
        values[i] = plus;
        const double above = loss(values, weights, static_cast<double>(epsilon), centering);
        values[i] = minus;
        const double below = loss(values, weights, static_cast<double>(epsilon), centering);
        values[i] = before;
        const double slope = (above - below) / (plus - minus);
        differences.numerical.push_back(static_cast<float>(slope));
        differences.noise.push_back(unit * std::fabs(slope) + lost + probing * differences.scale);
        differences.truncation.push_back(truncation * differences.scale);
    }
    return differences;
}

float slope_of(const Vector& upstream, const Vector& plus, const Vector& minus, float step) {
    float slope = 0;
    for (std::size_t j = 0; j < upstream.size(); ++j) {
        const float term = upstream[j] * (plus[j] - minus[j]) / (2.0F * step);
        slope = slope + term;
    }
    return slope;
}

// Below this part of the terms the fixture's step is sure to decide.
bool fits(const Differences& stepped) {
    for (std::size_t i = 0; i < stepped.numerical.size(); ++i) {
        if (!(stepped.noise[i] + stepped.truncation[i] <= stepped.scale / 32)) return false;
    }
    return true;
}

// What a reader can do about a step that was refused.
[[noreturn]] void refuse_step(const autodiff::GradientCheckError& error) {
    constexpr const char* or_none = ", or none for one that fits the values";
    if (const auto* e = std::get_if<autodiff::UnchangedProbe>(&error.rejection())) {
        throw InputRejection({"step"},
                             "found " + numeric::shortest(e->step) +
                                 ", which does not change element " + std::to_string(e->index + 1) +
                                 " with value " + numeric::shortest(e->value) + " in binary32",
                             std::string("a larger step") + or_none);
    }
    if (const auto* e = std::get_if<autodiff::NonFiniteProbe>(&error.rejection())) {
        throw InputRejection(
            {"step"},
            "found one by which the loss overflows at element " + std::to_string(e->index + 1),
            std::string("a smaller step") + or_none);
    }
    throw error;
}

}  // namespace

void ProbeChoice::declare(std::vector<Input>& inputs) {
    inputs.insert(inputs.end(),
                  {{"step",
                    &step,
                    "by which central differences move a value",
                    {.shown_default = "1e-4 where it fits the values, else 2^-14 of their size",
                     .range = Range::positive,
                     .decimals = {{6}}}},
                   {"tolerance",
                    &tolerance,
                    "the largest difference that matches",
                    {.shown_default = "what rounding and the step allow",
                     .range = Range::positive,
                     .decimals = {{6}}}},
                   {"unit", &unit, "the unit of the step", {.internal = true}}});
}

void ProbeChoice::complete() const {
    if (unit.empty() || (unit == "row" && step == relative_step)) return;
    throw InputRejection({"unit"}, "found \"" + unit + "\"",
                         "\"row\" beside a step of " +
                             numeric::shortest(static_cast<double>(relative_step)) +
                             ", or no unit");
}

Differences stepped_differences(const Vector& point, const Vector& upstream, float step,
                                const Differences& exact, const ProbedFunction& function) {
    if (!std::isfinite(step) || step <= 0) {
        throw autodiff::GradientCheckError(autodiff::InvalidStep{static_cast<double>(step)});
    }
    const auto width = static_cast<double>(point.size());
    const double both_ways = 2 * static_cast<double>(step);
    Differences differences{{}, {}, {}, exact.scale};
    for (std::size_t i = 0; i < point.size(); ++i) {
        Vector moved = point;
        moved[i] = point[i] + step;
        const bool up = moved[i] != point[i];
        const ProbedPoint plus = function(moved);
        moved[i] = point[i] - step;
        if (!up || moved[i] == point[i]) {
            throw autodiff::GradientCheckError(autodiff::UnchangedProbe{
                i, static_cast<double>(point[i]), static_cast<double>(step)});
        }
        const ProbedPoint minus = function(moved);
        const float slope = slope_of(upstream, plus.output, minus.output, step);
        if (!std::isfinite(slope)) {
            throw autodiff::GradientCheckError(
                autodiff::NonFiniteProbe{i, static_cast<double>(slope)});
        }
        double wide = 0;
        double size = 0;
        double noise = 0;
        for (std::size_t j = 0; j < upstream.size(); ++j) {
            const auto adjoint = static_cast<double>(upstream[j]);
            const double difference = plus.exact[j] - minus.exact[j];
            wide += adjoint * difference / both_ways;
            size += std::fabs(adjoint * difference) / both_ways;
            noise += std::fabs(adjoint) * (plus.error[j] + minus.error[j]) / both_ways;
        }
        // Three roundings a term and one a sum.
        const double rounding = (width + 4) * unit * (size + noise);
        const double underflow = width * lost * (1 + 1 / both_ways);
        differences.numerical.push_back(slope);
        differences.noise.push_back(noise + rounding + underflow);
        differences.truncation.push_back(std::fabs(wide - static_cast<double>(exact.numerical[i])) +
                                         exact.noise[i] + exact.truncation[i]);
    }
    return differences;
}

Differences layer_norm_differences(const Vector& input, const Wide& weights, float epsilon) {
    // A shift changes nothing, and without the offset the probes round less.
    NormBounds bounds = layer_norm_bounds(input, epsilon);
    double offset = 0;
    for (const float value : input) {
        offset = std::max(offset, std::fabs(static_cast<double>(value)));
    }
    return formula_differences(std::move(bounds.input), weights, epsilon, Centering::mean, offset);
}

Differences rms_norm_differences(const Vector& input, const Wide& weights, float epsilon) {
    return formula_differences(widened(input), weights, epsilon, Centering::none, 0);
}

Differences gain_differences(const NormBounds& bounds, const Vector& upstream) {
    Differences differences{{}, {}, {}, 0};
    Wide slopes;
    for (std::size_t i = 0; i < upstream.size(); ++i) {
        const auto adjoint = static_cast<double>(upstream[i]);
        const auto output = [&](double gain) { return gain * bounds.input[i] * bounds.inverse; };
        slopes.push_back(adjoint * (output(1) - output(-1)) / 2);
        differences.numerical.push_back(static_cast<float>(slopes.back()));
        differences.noise.push_back(unit * std::fabs(slopes.back()) + lost);
        differences.truncation.push_back(0);
    }
    differences.scale = norm(slopes);
    return differences;
}

FittedDifferences fitted_differences(
    const ProbeChoice& choice, const std::vector<Differences>& exact,
    const std::function<std::vector<Differences>(float step)>& stepped) {
    ProbeChoice used = choice;
    constexpr std::size_t few = 16;
    if (choice.unit.empty() && choice.step.value_or(values::probe_step) == values::probe_step &&
        exact[0].numerical.size() <= few) {
        try {
            std::vector<Differences> customary = stepped(values::probe_step);
            if (std::all_of(customary.begin(), customary.end(), fits)) {
                used.step = values::probe_step;
                return {std::move(used), false, std::move(customary)};
            }
        } catch (const autodiff::GradientCheckError&) {
            // A value that the step does not move, or a loss that overflows.
        } catch (const nn::NormalizationError&) {
            // A point beside this one has no output.
        }
    }
    if (choice.step && choice.unit.empty()) {
        try {
            return {std::move(used), true, stepped(*choice.step)};
        } catch (const autodiff::GradientCheckError& error) {
            refuse_step(error);
        } catch (const nn::NormalizationError& error) {
            throw InputRejection(
                {"step"},
                "found " + numeric::shortest(static_cast<double>(*choice.step)) +
                    ", which moves a value to where the layer refuses it: " + error.what(),
                "another step, or none for one that fits the values");
        }
    }
    used.step = relative_step;
    used.unit = "row";
    return {std::move(used), false, exact};
}

JudgedGradient judge(const std::string& name, const Vector& gradient, const Wide& error,
                     const FittedDifferences& fitted, std::size_t which) {
    const Differences& differences = fitted.differences[which];
    const std::optional<float>& tolerance = fitted.used.tolerance;
    JudgedGradient judged{differences.numerical, {}, {}, {0, 0}, {}};
    const auto allowed = [&](std::size_t i) {
        return error[i] + differences.noise[i] + differences.truncation[i];
    };
    Worst derived;
    Worst tolerated;
    const bool chosen = fitted.own_step || tolerance;
    const evidence::GradientChoice choice{fitted.own_step, tolerance, tolerance.has_value()};
    std::vector<evidence::ComparedSlope> slopes;
    bool passed = true;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        const float distance = std::fabs(gradient[i] - differences.numerical[i]);
        const double exact = std::fabs(static_cast<double>(gradient[i]) -
                                       static_cast<double>(differences.numerical[i]));
        judged.numerical_error.push_back((differences.noise[i] + differences.truncation[i]) *
                                         (1 + 0x1p-50));
        if (!(distance <= judged.largest.value)) judged.largest = {i, distance};
        const double admitted = tolerance ? static_cast<double>(*tolerance) : allowed(i);
        const bool match = tolerance ? distance < *tolerance : exact <= allowed(i);
        slopes.push_back({exact, error[i] + differences.noise[i], differences.truncation[i],
                          admitted, differences.scale, match});
        judged.matches.push_back(chosen ? evidence::decision(slopes.back(), choice)
                                        : decision(match, true));
        passed = passed && match;
        derived.consider(exact, allowed(i));
        if (tolerance) {
            tolerated.consider(static_cast<double>(distance), static_cast<double>(*tolerance));
        }
    }
    const std::string limit = tolerance ? "the tolerance" : "rounding";
    judged.check =
        (tolerance ? tolerated : derived)
            .check(name, "every component is within " + limit + " of its central difference");
    judged.check.passed = passed;
    if (chosen) judged.check = evidence::decided(std::move(judged.check), slopes, choice);
    return judged;
}

Record record(const Disagreement& largest) {
    return Record().add("value", figure(largest.value, {4})).add("dimension", largest.dimension);
}

}  // namespace rmsnorm::experiments::normalization
