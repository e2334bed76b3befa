// The checks of three norms on one anchor: that they hold at any scale, and that each fails.
#include "experiments/rmsnorm/history.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"

using namespace rmsnorm;
using experiments::History;

namespace {

History history_of(std::vector<double> anchor, std::vector<double> companion, double epsilon) {
    return experiments::history({tensor::Tensor::vector(std::move(anchor)),
                                 {tensor::Tensor::vector(std::move(companion))},
                                 epsilon});
}

std::vector<std::string> failed(const History& history) {
    std::vector<std::string> names;
    for (const auto& check : experiments::history_checks(history)) {
        if (!check.passed) names.push_back(check.name);
    }
    return names;
}

}  // namespace

TEST_CASE("the checks of history hold at any scale") {
    for (const double epsilon : {0.0, 1e-5, 1e10}) {
        for (const double scale : {1.0, 1e-100, 1e-150, 1e100, 1e150}) {
            CAPTURE(scale);
            CHECK(
                failed(history_of({scale, 3 * scale, -2 * scale}, {0, 0, scale}, epsilon)).empty());
        }
    }
    // The mean of three times a tenth rounds, and the spread of the second is its last digits.
    CHECK(failed(history_of({0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}, 1e-5)).empty());
    CHECK(failed(history_of({1e9, 1e9, 1000000001}, {1, 1, 1}, 1e-5)).empty());
}

TEST_CASE("each check of history fails when its norm is off by a hundredth of a millionth") {
    const History right = history_of({1, 2, 4}, {3, 0, 1}, 1e-5);
    History wrong = right;
    for (std::size_t i = 0; i < 3; ++i) wrong.layer_norm[i] += 1e-8;
    CHECK(failed(wrong) == std::vector<std::string>{"layer-norm-mean"});
    wrong = right;
    for (std::size_t i = 0; i < 3; ++i) wrong.layer_norm[i] *= 1 + 1e-8;
    CHECK(failed(wrong) == std::vector<std::string>{"layer-norm-closed-form"});
    wrong = right;
    wrong.batch_norm[0][1] += 1e-8;
    CHECK(failed(wrong) == std::vector<std::string>{"batch-norm-closed-form"});
    wrong = right;
    wrong.rms_norm[2] += 1e-8;
    CHECK(failed(wrong) == std::vector<std::string>{"rms-norm-closed-form"});
}

TEST_CASE("batch and backward take a batch without rows, and keep its shape") {
    evidence::LayerCase empty = experiments::chapter_values::layer_case();
    empty.input = tensor::Tensor({0, 2}, {});
    empty.upstream = empty.input;
    const auto backward = experiments::checked_backward(empty);
    CHECK(backward.input_gradient.shape() == tensor::Shape{0, 2});
    CHECK(backward.gain_gradient[0] == 0);
    CHECK(evidence::all_passed(backward.checks));
    const auto batch = experiments::checked_batch(empty);
    CHECK(batch.output.shape() == tensor::Shape{0, 2});
    CHECK(evidence::all_passed(batch.checks));
}
