// Central differences at any scale: settings that fit, right gradients that pass and wrong ones
// that do not.
#include "experiments/rmsnorm/gradient_probe.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "experiments/rmsnorm/gradient_check.hpp"
#include "support/drawn_cases.hpp"

using namespace rmsnorm;
using experiments::ProbeUnit;
namespace chapter = experiments::chapter_values;

namespace {

// Rows of numbers from -1 to 1, each row times its own scale.
evidence::LayerCase random_case(const std::vector<double>& scales, std::size_t width,
                                double epsilon) {
    std::mt19937 generator(7);
    const auto draw = [&] { return static_cast<double>(generator()) / 0x1p31 - 1; };
    std::vector<double> input;
    std::vector<double> upstream;
    for (const double scale : scales) {
        for (std::size_t i = 0; i < width; ++i) {
            input.push_back(draw() * scale);
            upstream.push_back(draw());
        }
    }
    std::vector<double> gain;
    for (std::size_t i = 0; i < width; ++i) gain.push_back(draw());
    const tensor::Shape shape{scales.size(), width};
    return {tensor::Tensor(shape, std::move(input)), tensor::Tensor::vector(std::move(gain)),
            tensor::Tensor(shape, std::move(upstream)), epsilon, "gain"};
}

// 1000 x 512: as many values as an activation has.
evidence::LayerCase many_rows() {
    return random_case(std::vector<double>(1000, 1.0), 512, chapter::epsilon);
}

evidence::LayerCase large_values() {
    evidence::LayerCase layer_case = chapter::layer_case();
    layer_case.input = tensor::Tensor::vector({1e9, 2e9});
    return layer_case;
}

}  // namespace

TEST_CASE("the chapter's values keep the chapter's step and tolerance") {
    const auto settings = experiments::fitting_settings(chapter::layer_case());
    CHECK(settings.step == 1e-6);
    CHECK(settings.tolerance == 2e-6);
    CHECK(settings.unit == ProbeUnit::one);
}

TEST_CASE("right gradients pass at every scale with the settings that fit") {
    for (const auto& layer_case :
         {many_rows(), large_values(), random_case({1e12, 1e-12, 1, 1e100, 1e-100}, 16, 0),
          random_case({1e-3}, 3, 0), random_case({0, 1e-6, 1e6}, 5, 1e-5),
          random_case({1}, 20000, 1e-5), random_case({3e153}, 2, 1)}) {
        experiments::GradientCheckInputs inputs;
        static_cast<evidence::LayerCase&>(inputs) = layer_case;
        // As when a reader gives all of the layer.
        std::vector<evidence::Input> declared = inputs.declared();
        for (evidence::Input& input : declared) {
            input.given = input.key == "input" || input.key == "gain" || input.key == "upstream";
        }
        inputs.complete(evidence::Given(declared, 1U << 22));
        const auto checks = experiments::explained_gradient_checks(inputs);
        CHECK(experiments::passed(checks));
        CHECK(evidence::all_passed(checks.checks));
    }
}

TEST_CASE("large values fail with a gradient of zero or one that is off by a hundredth") {
    const evidence::LayerCase layer_case = large_values();
    const auto pass = experiments::backward(layer_case);
    const auto settings = experiments::fitting_settings(layer_case);
    CHECK(settings.unit == ProbeUnit::row);
    for (const double factor : {0.0, 0.99, 1.01}) {
        tensor::Tensor wrong = pass.input_gradient;
        wrong[0] *= factor;
        CHECK_FALSE(experiments::probe_gradient(layer_case, experiments::ProbedTensor::input, wrong,
                                                settings, 64, 0)
                        .passed);
    }
    CHECK(experiments::probe_gradient(layer_case, experiments::ProbedTensor::input,
                                      pass.input_gradient, settings, 64, 0)
              .passed);
}

TEST_CASE("a wrong gain gradient fails in the units of the row") {
    const evidence::LayerCase layer_case = many_rows();
    const auto settings = experiments::fitting_settings(layer_case);
    CHECK(settings.unit == ProbeUnit::row);
    tensor::Tensor wrong = experiments::backward(layer_case).gain_gradient;
    // The unit of a coordinate is at most the width's root, the largest |normalized|, times the
    // number of rows.
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        wrong[i] += 2 * settings.tolerance * std::sqrt(512.0) * 1000;
    }
    const auto check = experiments::probe_gradient(layer_case, experiments::ProbedTensor::gain,
                                                   wrong, settings, 64, 0);
    for (const auto& coordinate : check.coordinates) CHECK_FALSE(coordinate.passed);
}

TEST_CASE("only the row and the column of a coordinate enter its difference") {
    // One row is so large that its part of a whole sum would drown the others: each output times
    // 1e9 rounds by 1e-7, which over a step of 1e-6 is 0.1.
    evidence::LayerCase layer_case = random_case(std::vector<double>(20, 1.0), 4, 1e-5);
    for (std::size_t i = 0; i < 4; ++i) layer_case.upstream[i] = 1e9;
    const auto pass = experiments::backward(layer_case);
    const experiments::ProbeSettings settings{1e-6, 1e-7, ProbeUnit::one};
    const auto check = experiments::probe_gradient(layer_case, experiments::ProbedTensor::input,
                                                   pass.input_gradient, settings, 80, 0);
    for (const auto& coordinate : check.coordinates) {
        if (coordinate.index >= 4) CHECK(coordinate.passed);
    }
    // The same for the gain, with a column in place of a row.
    layer_case = random_case(std::vector<double>(20, 1.0), 4, 1e-5);
    for (std::size_t i = 0; i < layer_case.upstream.size(); i += 4) layer_case.upstream[i] = 1e9;
    const auto gain = experiments::probe_gradient(layer_case, experiments::ProbedTensor::gain,
                                                  experiments::backward(layer_case).gain_gradient,
                                                  settings, 4, 0);
    for (std::size_t i = 1; i < 4; ++i) CHECK(gain.coordinates[i].passed);
}

TEST_CASE("a step that changes nothing is refused with the element's place in the tensor") {
    evidence::LayerCase layer_case = random_case({1, 1e12, 1}, 8, 0);
    layer_case.input[13] = 1e12;
    const tensor::Tensor gradient = tensor::Tensor::filled(layer_case.input.shape(), 0.0);
    layer_case.input[8] = layer_case.input[9] = layer_case.input[10] = layer_case.input[11] = 1;
    layer_case.input[12] = 1;
    try {
        experiments::probe_gradient(layer_case, experiments::ProbedTensor::input, gradient,
                                    {1e-6, 1e-6, ProbeUnit::one}, 24, 0);
        FAIL("accepted");
    } catch (const experiments::GradientProbeError& error) {
        CHECK(error.index == 13);
        CHECK(error.value == 1e12);
        CHECK(error.step == 1e-6);
        CHECK(error.tensor == experiments::ProbedTensor::input);
        CHECK(std::string(error.what()).find("element 13 of the input") != std::string::npos);
    }
}

namespace {

bool undecided(const evidence::Check& check) {
    CHECK(check.decided == (check.statement.find(" cannot decide: noise ") == std::string::npos));
    return !check.decided && !check.passed;
}

// What the coordinates say together.
evidence::Decision verdict_of(const autodiff::GradientCheck& compared) {
    evidence::Decision all = evidence::Decision::holds;
    for (const auto& coordinate : compared.coordinates) {
        all = both(all, evidence::decision(coordinate.passed, coordinate.decided));
    }
    return all;
}

}  // namespace

TEST_CASE("no chosen step or tolerance accuses a right gradient, and none lets a wrong one pass") {
    drawn::Cases c(11);
    int passed = 0;
    int wrong_found = 0;
    constexpr int rounds = 1500;
    for (int round = 0; round < rounds; ++round) {
        const std::size_t width = c.width(40);
        const std::size_t rows = 1 + c.below(3);
        const auto drawn_values = [&](std::size_t count) {
            std::vector<double> values(count);
            const double size = std::fabs(c.scale(20));
            for (double& value : values) value = c.unit() * (c.below(4) == 0 ? size : 1);
            return values;
        };
        const tensor::Shape shape{rows, width};
        const evidence::LayerCase used{tensor::Tensor(shape, drawn_values(rows * width)),
                                       tensor::Tensor::vector(drawn_values(width)),
                                       tensor::Tensor(shape, drawn_values(rows * width)),
                                       std::fabs(c.scale(20)), "gain"};
        const double step = std::fabs(c.scale(35));
        const double tolerance = c.below(4) == 0 ? 0 : std::fabs(c.scale(35));
        const experiments::GradientCheckCase chosen{used, step, tolerance, 16, 1};
        const auto pass = experiments::backward(used);
        try {
            const auto checks = experiments::gradient_checks(chosen);
            for (std::size_t i = 0; i < 2; ++i) {
                INFO(round, " ", checks.checks[i].statement, " ", checks.checks[i].measure);
                CHECK((checks.checks[i].passed || undecided(checks.checks[i])));
                passed += checks.checks[i].passed;
            }
            CHECK(verdict_of(checks.input) == decision(checks.checks[0]));
            CHECK(verdict_of(checks.gain) == decision(checks.checks[1]));
            CHECK(decision(checks) == both(decision(checks.checks[0]), decision(checks.checks[1])));
            CHECK(experiments::passed(checks) ==
                  (checks.checks[0].passed && checks.checks[1].passed));
            // Every component off by half of what it is made of.
            tensor::Tensor input = pass.input_gradient;
            for (std::size_t row = 0; row < rows; ++row) {
                double squares = 0;
                double terms = 0;
                for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
                    squares += used.input[i] * used.input[i] / static_cast<double>(width);
                    terms += std::pow(used.gain[i % width] * used.upstream[i], 2);
                }
                const double off = std::sqrt(terms / (squares + used.epsilon)) / 2;
                for (std::size_t i = row * width; i < (row + 1) * width; ++i) input[i] += off;
            }
            const auto wrong = experiments::gradient_checks(chosen, input, pass.gain_gradient);
            CHECK_FALSE(wrong.checks[0].passed);
            CHECK(verdict_of(wrong.input) == decision(wrong.checks[0]));
            wrong_found += !undecided(wrong.checks[0]);
        } catch (const experiments::GradientProbeError&) {
            // A step that moves nothing.
        }
    }
    // Many choices decide, both ways.
    CHECK(passed > rounds / 10);
    CHECK(wrong_found > rounds / 10);
}

TEST_CASE("the chapter's own step and tolerance are left where they would see no gradient") {
    evidence::LayerCase small = chapter::layer_case();
    small.upstream = tensor::Tensor::vector({1e-9, -2e-9});
    CHECK(experiments::fitting_settings(small).unit == ProbeUnit::row);
    small.upstream = tensor::Tensor::vector({0, 0});
    CHECK(experiments::fitting_settings(small).unit == ProbeUnit::one);
}
