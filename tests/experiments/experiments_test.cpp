// Each experiment's checks: that they hold, and that they fail when their subject is wrong.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>

#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/boundaries.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "experiments/rmsnorm/factor_error.hpp"
#include "experiments/rmsnorm/gradient_check.hpp"
#include "experiments/rmsnorm/history.hpp"
#include "experiments/rmsnorm/parameters.hpp"
#include "experiments/rmsnorm/scale.hpp"
#include "experiments/rmsnorm/sweep.hpp"
#include "experiments/rmsnorm/zero.hpp"
#include "nn/normalization.hpp"
#include "nn/parameter_groups.hpp"
#include "numeric/bits.hpp"

using namespace rmsnorm;
namespace chapter = experiments::chapter_values;

namespace {

evidence::LayerCase batch_case() {
    evidence::LayerCase layer_case = chapter::layer_case();
    layer_case.input = chapter::rows();
    return layer_case;
}

experiments::GradientCheckCase gradient_case() {
    return {chapter::layer_case(), chapter::step, chapter::tolerance, 2, 0};
}

const evidence::Check& check_named(const std::vector<evidence::Check>& checks,
                                   const std::string& name) {
    const auto found = std::find_if(checks.begin(), checks.end(),
                                    [&](const evidence::Check& c) { return c.name == name; });
    REQUIRE(found != checks.end());
    return *found;
}

template <class Case, class Error>
bool holds(const Error& error) {
    return std::holds_alternative<Case>(error.rejection());
}

}  // namespace

TEST_CASE("the chapter's step and tolerance are those that fit its values") {
    const auto fitting = experiments::fitting_settings(chapter::layer_case());
    CHECK(fitting.step == chapter::step);
    CHECK(fitting.tolerance == chapter::tolerance);
    CHECK(fitting.unit == experiments::ProbeUnit::one);
}

TEST_CASE("the chapter's gradients pass, and one that is off by 3e-6 does not") {
    const experiments::Backward pass = experiments::backward(chapter::layer_case());
    const auto right =
        experiments::gradient_checks(gradient_case(), pass.input_gradient, pass.gain_gradient);
    CHECK(experiments::passed(right));
    CHECK(evidence::all_passed(right.checks));
    // Both gradients of the fixture are below 2.3 in magnitude, so that the scaled error of 3e-6
    // in a coordinate of at most 1 is 3e-6, above the tolerance of 2e-6.
    for (std::size_t i = 0; i < 2; ++i) {
        for (const double offset : {3e-6, -3e-6}) {
            INFO(i);
            tensor::Tensor wrong = pass.input_gradient;
            wrong[i] += offset;
            const auto checks =
                experiments::gradient_checks(gradient_case(), wrong, pass.gain_gradient);
            CHECK_FALSE(experiments::passed(checks));
            CHECK_FALSE(checks.input.coordinates[i].passed);
            CHECK(checks.input.coordinates[1 - i].passed);
            CHECK_FALSE(check_named(checks.checks, "input-gradient").passed);
            CHECK(check_named(checks.checks, "gain-gradient").passed);
        }
    }
    tensor::Tensor wrong = pass.gain_gradient;
    wrong[0] += 3e-6;
    const auto checks = experiments::gradient_checks(gradient_case(), pass.input_gradient, wrong);
    CHECK_FALSE(experiments::passed(checks));
    CHECK(check_named(checks.checks, "input-gradient").passed);
    CHECK_FALSE(check_named(checks.checks, "gain-gradient").passed);
}

TEST_CASE("a NaN in a gradient fails its check wherever it stands") {
    const experiments::Backward pass = experiments::backward(chapter::layer_case());
    for (std::size_t i = 0; i < 2; ++i) {
        INFO(i);
        tensor::Tensor wrong = pass.input_gradient;
        wrong[i] = std::numeric_limits<double>::quiet_NaN();
        const auto checks =
            experiments::gradient_checks(gradient_case(), wrong, pass.gain_gradient);
        CHECK_FALSE(experiments::passed(checks));
        CHECK_FALSE(check_named(checks.checks, "input-gradient").passed);
        CHECK_FALSE(evidence::all_passed(checks.checks));
    }
}

TEST_CASE("a tolerance below the rounding of the differences fails the gradient check") {
    experiments::GradientCheckCase strict = gradient_case();
    strict.tolerance = 0;
    CHECK_FALSE(experiments::passed(experiments::gradient_checks(strict)));
    CHECK_FALSE(evidence::all_passed(experiments::gradient_checks(strict).checks));
}

TEST_CASE("the rows of a batch are independent, and one changed bit shows") {
    const experiments::Batch batch = experiments::batch(batch_case());
    CHECK(evidence::all_passed(batch.checks));
    CHECK(experiments::row_independence(batch_case(), batch.output).passed);
    for (std::size_t i = 0; i < batch.output.size(); ++i) {
        tensor::Tensor wrong = batch.output;
        wrong[i] = numeric::binary64(numeric::bits(wrong[i]) ^ 1U);
        const evidence::Check check = experiments::row_independence(batch_case(), wrong);
        CHECK_FALSE(check.passed);
        CHECK(check.measure == 1);
    }
    tensor::Tensor mixed = batch.output;
    for (std::size_t i = 0; i < 4; ++i) mixed[i] = batch.output[(i + 2) % 4];
    CHECK(experiments::row_independence(batch_case(), mixed).measure == 4);
}

TEST_CASE("a batch without rows keeps its shape, and any other shape shows") {
    const experiments::Batch batch = experiments::batch(batch_case());
    CHECK(batch.empty_output.shape() == tensor::Shape{0, 2});
    CHECK(experiments::empty_batch(batch.empty_output, 2).passed);
    CHECK_FALSE(experiments::empty_batch(tensor::Tensor({0, 3}, {}), 2).passed);
    CHECK_FALSE(experiments::empty_batch(tensor::Tensor({0}, {}), 2).passed);
    CHECK_FALSE(experiments::empty_batch(tensor::Tensor({1, 2}, {0, 0}), 2).passed);
}

TEST_CASE("a batch with empty outer axes runs") {
    evidence::LayerCase empty = batch_case();
    empty.input = tensor::Tensor({3, 0, 2}, {});
    const experiments::Batch batch = experiments::batch(empty);
    CHECK(batch.output.shape() == tensor::Shape{3, 0, 2});
    CHECK(evidence::all_passed(batch.checks));
}

TEST_CASE("every boundary is rejected with its error and its message") {
    const experiments::Boundaries boundaries = experiments::boundaries();
    REQUIRE(boundaries.cases.size() == 3);
    // The messages are those of the chapter's trace.
    CHECK(boundaries.cases[0].name == "rank-zero");
    CHECK(boundaries.cases[0].error == "InputRankZero");
    CHECK(boundaries.cases[0].message == "RMSNorm input must have at least one axis");
    CHECK(boundaries.cases[1].name == "width-mismatch");
    CHECK(boundaries.cases[1].error == "InputWidthMismatch");
    CHECK(boundaries.cases[1].message == "RMSNorm input feature width must be 2, got 3");
    CHECK(boundaries.cases[2].name == "zero-energy-epsilon-zero");
    CHECK(boundaries.cases[2].error == "ZeroEnergyRow");
    CHECK(boundaries.cases[2].message ==
          "RMSNorm epsilon is zero but feature row 0 has zero mean square");
    for (const experiments::Boundary& boundary : boundaries.cases) CHECK(boundary.rejected);
    CHECK(evidence::all_passed(boundaries.checks));
}

TEST_CASE("a request that is accepted is no rejected boundary") {
    const experiments::Boundary boundary = experiments::boundary("fine", nullptr, "InputRankZero");
    CHECK_FALSE(boundary.rejected);
    CHECK(boundary.error.empty());
    CHECK(boundary.message.empty());
    CHECK_FALSE(experiments::rejection_check(boundary).passed);
}

TEST_CASE("a rejection with another error is no rejected boundary") {
    const nn::RmsNormError error(nn::InputWidthMismatch{2, 3});
    const experiments::Boundary boundary = experiments::boundary("other", &error, "InputRankZero");
    CHECK_FALSE(boundary.rejected);
    CHECK(boundary.error == "InputWidthMismatch");
    CHECK_FALSE(experiments::rejection_check(boundary).passed);
    CHECK(experiments::rejection_check(experiments::boundary("right", &error, "InputWidthMismatch"))
              .passed);
}

TEST_CASE("every rejection of the layer is provoked, and has its error") {
    const experiments::Boundaries every = experiments::every_boundary();
    CHECK(every.cases.size() > 3);
    CHECK(every.checks.size() == every.cases.size());
    CHECK(evidence::all_passed(every.checks));
}

TEST_CASE("an overflow at another stage is no rejected boundary") {
    const nn::RmsNormError error(nn::TapeFailure{nn::RmsNormStage::square,
                                                 autodiff::AutodiffError(autodiff::NonFiniteForward{
                                                     autodiff::Operation::multiply, 0, 1.0})});
    CHECK(experiments::boundary("b", &error, "TapeFailure", "square").rejected);
    CHECK_FALSE(experiments::boundary("b", &error, "TapeFailure", "mean square").rejected);
    CHECK_FALSE(experiments::boundary("b", &error, "TapeFailure").rejected);
}

TEST_CASE("a gain in both groups, in none or twice in one is refused") {
    const std::string gain = chapter::gain_name;
    const auto refused = [&](const std::vector<std::string>& decay,
                             const std::vector<std::string>& no_decay) {
        try {
            experiments::parameters({chapter::gain_name, decay, no_decay});
        } catch (const nn::ParameterGroupError& error) {
            return error.rejection();
        }
        FAIL("the groups were accepted");
        return nn::ParameterGroupError::Case{};
    };
    CHECK(std::holds_alternative<nn::NameInBothGroups>(refused({gain}, {gain})));
    CHECK(std::holds_alternative<nn::UnassignedName>(refused({}, {})));
    CHECK(std::holds_alternative<nn::DuplicateName>(refused({}, {gain, gain})));
    CHECK(std::holds_alternative<nn::UnknownName>(refused({"other.gain"}, {gain})));
}

TEST_CASE("only a gain in the no-decay group is said to be there") {
    const std::string gain = chapter::gain_name;
    CHECK(experiments::parameters({gain, {}, {gain}}).gain_in_no_decay);
    CHECK_FALSE(experiments::parameters({gain, {gain}, {}}).gain_in_no_decay);
    CHECK(evidence::all_passed(experiments::parameters({gain, {gain}, {}}).checks));
    CHECK(experiments::one_group(gain, {}, {gain}).passed);
    CHECK_FALSE(experiments::one_group(gain, {gain}, {gain}).passed);
    CHECK_FALSE(experiments::one_group(gain, {}, {}).passed);
    CHECK_FALSE(experiments::one_group(gain, {gain, gain}, {}).passed);
}

TEST_CASE("epsilon and the smallest row decide the mode of a scale comparison") {
    const auto mode = [](const tensor::Tensor& input, double epsilon) {
        return experiments::scale({{input, epsilon, 10}}).comparisons[0].mode;
    };
    using experiments::ScaleMode;
    const tensor::Tensor ones = tensor::Tensor::vector({1, 1});  // mean square exactly 1
    CHECK(mode(ones, 0) == ScaleMode::ideal);
    CHECK(mode(ones, 1) == ScaleMode::production);
    CHECK(mode(ones, std::nextafter(1.0, 2.0)) == ScaleMode::near_zero);
    const tensor::Tensor rows({2, 2}, {1, 1, 0.001, 0.001});  // one row below 1e-5
    CHECK(mode(rows, 1e-5) == ScaleMode::near_zero);
    CHECK(experiments::name(ScaleMode::ideal) == "ideal");
    CHECK(experiments::name(ScaleMode::production) == "production");
    CHECK(experiments::name(ScaleMode::near_zero) == "near-zero");
}

TEST_CASE("with epsilon zero a row of mean square one comes out as it went in") {
    // log(1) is 0 and exp(0) is 1, both exact.
    const auto scale = experiments::scale({{tensor::Tensor::vector({1, -1}), 0, 1}});
    CHECK(numeric::same_bits(scale.comparisons[0].base[0], 1.0));
    CHECK(numeric::same_bits(scale.comparisons[0].base[1], -1.0));
    CHECK(scale.comparisons[0].max_abs_diff == 0);
}

TEST_CASE("a scale comparison of values that overflow or vanish is refused") {
    CHECK_THROWS_AS(experiments::scale({{tensor::Tensor::vector({3, 4}), 1e-5, 1e308}}),
                    std::runtime_error);
    CHECK_THROWS_AS(experiments::scale({{tensor::Tensor::vector({3, 4}), 0, 0}}),
                    experiments::FactorError);
    CHECK_THROWS_AS(experiments::scale({{tensor::Tensor::scalar(3), 1e-5, 10}}),
                    experiments::FactorError);
    CHECK_THROWS_AS(experiments::scale({{tensor::Tensor({2, 0}, {}), 1e-5, 10}}),
                    experiments::FactorError);
}

TEST_CASE("an all-zero row stays zero with an epsilon and is rejected without") {
    const experiments::Zero zero = experiments::zero({3, 1e-5});
    CHECK(zero.finite);
    CHECK_FALSE(zero.rejection);
    REQUIRE(zero.output);
    CHECK(zero.output->shape() == tensor::Shape{3});
    for (const double value : zero.output->values()) CHECK(numeric::same_bits(value, 0.0));
    CHECK(evidence::all_passed(zero.checks));
    const experiments::Zero rejected = experiments::zero({3, 0});
    CHECK_FALSE(rejected.output);
    CHECK_FALSE(rejected.finite);
    REQUIRE(rejected.rejection);
    CHECK(rejected.rejection->error == "ZeroEnergyRow");
    CHECK(evidence::all_passed(rejected.checks));
    CHECK_THROWS_AS(experiments::zero({0, 1e-5}), nn::RmsNormError);
    CHECK_THROWS_AS(experiments::zero({3, -1}), nn::RmsNormError);
}

TEST_CASE("the check of the zero row fails on an output, a refusal or a value out of place") {
    experiments::Zero with_epsilon = experiments::zero({2, 1e-5});
    (*with_epsilon.output)[1] = 1e-300;
    CHECK_FALSE(experiments::zero_check(with_epsilon).passed);
    (*with_epsilon.output)[1] = std::nan("");
    CHECK_FALSE(experiments::zero_check(with_epsilon).passed);
    with_epsilon.output.reset();
    CHECK_FALSE(experiments::zero_check(with_epsilon).passed);
    experiments::Zero without = experiments::zero({2, 0});
    without.rejection->error = "TapeFailure";
    CHECK_FALSE(experiments::zero_check(without).passed);
    without.rejection.reset();
    CHECK_FALSE(experiments::zero_check(without).passed);
}

TEST_CASE("every kind of rejection that the layer knows is provoked") {
    const experiments::Boundaries boundaries = experiments::every_boundary();
    std::set<std::string> names;
    std::set<std::string> errors;
    for (const experiments::Boundary& boundary : boundaries.cases) {
        CAPTURE(boundary.name);
        CHECK(boundary.rejected);
        CHECK(names.insert(boundary.name).second);
        errors.insert(boundary.error);
    }
    CHECK(errors.size() == std::variant_size_v<nn::RmsNormError::Case>);
    CHECK(evidence::all_passed(boundaries.checks));
    CHECK(boundaries.checks.size() == boundaries.cases.size());
}

TEST_CASE("a sweep's factors rise by one ratio from end to end and are short decimals") {
    const auto factors = experiments::sweep_factors(1e-6, 1e2, 17);
    REQUIRE(factors.size() == 17);
    for (std::size_t i = 0; i < 17; i += 2) {
        // Every other one is a power of ten, written as a decimal.
        CHECK(factors[i] == std::stod("1e" + std::to_string(static_cast<int>(i / 2) - 6)));
    }
    CHECK(factors[1] == 3.16228e-6);  // the root of ten to six digits
    CHECK(experiments::sweep_factors(0.3, 0.7, 2) == std::vector<double>{0.3, 0.7});
    const auto close = experiments::sweep_factors(1, 1.0000001, 5);
    CHECK(std::is_sorted(close.begin(), close.end()));
}

TEST_CASE(
    "the closed form decides a sweep's regime, and the difference to epsilon zero follows it") {
    // mean square f^2, epsilon 1: the closed form is f^2 / (f^2 + 1), its root the shrinkage.
    const auto sweep = experiments::sweep({tensor::Tensor::vector({1, -1}), 1.0, 1e-3, 1e3, 7});
    using experiments::Regime;
    const std::vector<Regime> expected{Regime::epsilon,    Regime::epsilon, Regime::epsilon,
                                       Regime::transition, Regime::signal,  Regime::signal,
                                       Regime::signal};
    for (std::size_t i = 0; i < 7; ++i) {
        CAPTURE(i);
        const experiments::SweepPoint& point = sweep.points[i];
        CHECK(point.regime == expected[i]);
        // A few roundings of numbers near one.
        CHECK(std::fabs(point.max_abs_diff - (1 - std::sqrt(point.closed_form))) < 1e-14);
        CHECK(std::fabs(point.normalized_mean_square - point.closed_form) < 1e-14);
    }
    CHECK(evidence::all_passed(sweep.checks));
    CHECK_THROWS_AS(experiments::sweep({tensor::Tensor::vector({0, 0}), 1.0, 1, 2, 2}),
                    experiments::FactorError);
}

TEST_CASE("settings are quoted exactly where a few decimals can, and differences else") {
    CHECK(evidence::exact_scalar(1e-5).decimals.count == 6);
    CHECK(evidence::exact_scalar(0).decimals.count == 6);
    CHECK(evidence::exact_scalar(1e-7).decimals.count == 9);
    CHECK(evidence::exact_scalar(0.1234567).decimals.count == 9);
    CHECK(evidence::exact_scalar(1e-24).decimals.count == 24);
    // Seventeen significant digits tell any two numbers apart.
    CHECK(evidence::exact_scalar(1.0 / 3).decimals.count == 18);
    CHECK(evidence::exact_scalar(1e-30).decimals.count == 33);
}

TEST_CASE("a zero row that comes out otherwise fails its check") {
    for (const double value : {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(), 1e-300}) {
        for (std::size_t i = 0; i < 3; ++i) {
            experiments::Zero wrong = experiments::zero({3, 1e-5});
            (*wrong.output)[i] = value;
            CHECK_FALSE(experiments::zero_check(wrong).passed);
        }
    }
    experiments::Zero missing = experiments::zero({3, 1e-5});
    missing.output.reset();
    CHECK_FALSE(experiments::zero_check(missing).passed);
    experiments::Zero accepted = experiments::zero({3, 0});
    accepted.rejection.reset();
    CHECK_FALSE(experiments::zero_check(accepted).passed);
    accepted.rejection = experiments::ZeroRejection{"InputRankZero", ""};
    CHECK_FALSE(experiments::zero_check(accepted).passed);
}

TEST_CASE("only BatchNorm sees the companion") {
    const auto one =
        experiments::history({chapter::anchor(), {tensor::Tensor::vector({5, 7})}, 1e-5});
    const auto other =
        experiments::history({chapter::anchor(), {tensor::Tensor::vector({-9, 2})}, 1e-5});
    CHECK_FALSE(tensor::same_bits(one.batch_norm[0], other.batch_norm[0]));
    CHECK(tensor::same_bits(one.layer_norm, other.layer_norm));
    CHECK(tensor::same_bits(one.rms_norm, other.rms_norm));
    CHECK(experiments::history({chapter::anchor(), {}, 1e-5}).batch_norm.empty());
}

TEST_CASE("a history with a companion of another width is refused") {
    CHECK_THROWS_AS(
        experiments::history({chapter::anchor(), {tensor::Tensor::vector({1, 2, 3})}, 1e-5}),
        nn::NormalizationError);
}
