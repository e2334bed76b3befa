#include "experiments/rmsnorm/boundaries.hpp"

#include <functional>
#include <limits>
#include <string_view>
#include <variant>

#include "evidence/layer_case.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"

namespace rmsnorm::experiments {
namespace {

void run_layer(const tensor::Tensor& gain, double epsilon, const tensor::Tensor& input) {
    const nn::RmsNorm norm(nn::NamedParameter(chapter_values::gain_name, gain), epsilon);
    norm.forward(autodiff::Value::constant(input));
}

// The stage of the layer at which a value overflowed; empty for other rejections.
std::string_view stage_of(const nn::RmsNormError& error) {
    const auto* const failure = std::get_if<nn::TapeFailure>(&error.rejection());
    return failure == nullptr ? std::string_view() : nn::name(failure->stage);
}

template <class Request>
Boundary provoke(std::string name, std::string_view expected_error, Request request,
                 std::string_view expected_stage = {}) {
    try {
        request();
    } catch (const nn::RmsNormError& error) {
        return boundary(std::move(name), &error, expected_error, expected_stage);
    }
    return boundary(std::move(name), nullptr, expected_error, expected_stage);
}

// Layers and inputs are built before their requests: a rejection then has nothing to take down.
void add_chapter_cases(Boundaries& evidence) {
    namespace chapter = chapter_values;
    using autodiff::Value;
    const nn::RmsNorm norm = unit_gain_layer(2, chapter::epsilon);
    const nn::RmsNorm ideal = unit_gain_layer(2, chapter::ideal_epsilon);
    const Value scalar = Value::constant(tensor::Tensor::scalar(1));
    const Value wide = Value::constant(tensor::Tensor::vector({1, 2, 3}));
    const Value zeros = Value::constant(tensor::Tensor::vector({0, 0}));
    evidence.cases.push_back(
        provoke("rank-zero", "InputRankZero", [&] { norm.forward_with_intermediates(scalar); }));
    evidence.cases.push_back(provoke("width-mismatch", "InputWidthMismatch",
                                     [&] { norm.forward_with_intermediates(wide); }));
    evidence.cases.push_back(provoke("zero-energy-epsilon-zero", "ZeroEnergyRow",
                                     [&] { ideal.forward_with_intermediates(zeros); }));
}

void add_other_cases(Boundaries& evidence) {
    using tensor::Tensor;
    const double epsilon = chapter_values::epsilon;
    const Tensor ones = Tensor::vector({1, 1});
    const Tensor input = chapter_values::input();
    const auto add = [&](const char* name, const char* expected,
                         const std::function<void()>& request) {
        evidence.cases.push_back(provoke(name, expected, request));
    };
    add("zero-energy-underflow", "ZeroEnergyRow", [&] {
        run_layer(ones, 0.0, Tensor({2, 2}, {3, 4, 1e-200, 1e-200}));
    });
    add("negative-epsilon", "InvalidEpsilon", [&] { run_layer(ones, -epsilon, input); });
    add("infinite-epsilon", "InvalidEpsilon",
        [&] { run_layer(ones, std::numeric_limits<double>::infinity(), input); });
    add("nan-epsilon", "InvalidEpsilon",
        [&] { run_layer(ones, std::numeric_limits<double>::quiet_NaN(), input); });
    add("empty-gain", "EmptyFeatureWidth", [&] {
        run_layer(Tensor::vector({}), epsilon, Tensor({1, 0}, {}));
    });
    add("gain-rank", "GainRank", [&] { run_layer(Tensor({1, 2}, {1, 1}), epsilon, input); });
    add("gain-allocation", "GainAllocationFailed",
        [&] { const nn::RmsNorm norm("gain", std::numeric_limits<std::size_t>::max(), epsilon); });
    add("gain-name", "InvalidGainName", [&] { const nn::RmsNorm norm("a..b", 2, epsilon); });
    const auto add_overflow = [&](nn::RmsNormStage stage, const char* name,
                                  const std::function<void()>& request) {
        evidence.cases.push_back(provoke(name, "TapeFailure", request, nn::name(stage)));
    };
    using Stage = nn::RmsNormStage;
    add_overflow(Stage::square, "square-overflow", [&] {
        run_layer(ones, epsilon, Tensor::vector({1e200, 1}));
    });
    add_overflow(Stage::mean_square, "mean-square-overflow", [&] {
        run_layer(ones, epsilon, Tensor::vector({1.3e154, 1.3e154}));
    });
    add_overflow(Stage::stabilize, "stabilize-overflow", [&] {
        run_layer(ones, 1.7e308, Tensor::vector({1.3e154, 0}));
    });
    add_overflow(Stage::apply_gain, "apply-gain-overflow", [&] {
        run_layer(Tensor::vector({1.7e308, 1}), epsilon, Tensor::vector({1, 0}));
    });
}

void add_checks(Boundaries& evidence) {
    for (const Boundary& boundary : evidence.cases) {
        evidence.checks.push_back(rejection_check(boundary));
    }
}

}  // namespace

Boundary boundary(std::string name, const nn::RmsNormError* error, std::string_view expected_error,
                  std::string_view expected_stage) {
    if (error == nullptr) return {std::move(name), false, "", ""};
    const std::string found(nn::case_name(*error));
    const bool expected = found == expected_error && stage_of(*error) == expected_stage;
    return {std::move(name), expected, found, error->what()};
}

Check rejection_check(const Boundary& boundary) {
    return at_most(boundary.name, "the request is rejected with its error",
                   boundary.rejected ? 0 : 1, 0);
}

Boundaries boundaries() {
    Boundaries evidence;
    add_chapter_cases(evidence);
    add_checks(evidence);
    return evidence;
}

Boundaries every_boundary(const NoInputs&) {
    Boundaries evidence;
    add_chapter_cases(evidence);
    add_other_cases(evidence);
    add_checks(evidence);
    return evidence;
}

Record results(const Boundaries& evidence) {
    return Record().add("boundaries", boundaries_array(evidence));
}

Array boundaries_array(const Boundaries& evidence) {
    return array_of(evidence.cases, [](const Boundary& boundary) {
        return Record()
            .add("case", boundary.name)
            .add("rejected", boundary.rejected)
            .add("error", boundary.error)
            .add("message", boundary.message);
    });
}

std::string text(const Boundaries& e, Extent) {
    Lines lines;
    for (const Boundary& boundary : e.cases) {
        lines.line("boundary")
            .part("case", boundary.name)
            .part("rejected", truth_text(boundary.rejected))
            .part("message", boundary.message);
    }
    return lines.str();
}

}  // namespace rmsnorm::experiments
