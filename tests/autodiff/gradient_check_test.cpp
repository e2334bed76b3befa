#include "autodiff/gradient_check.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "support/rejection.hpp"

using namespace rmsnorm;
using namespace rmsnorm::autodiff;
using tensor::Tensor;
using testing::rejection;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Both probes of 0.5 * x around 1 with this step are exact, and so is their difference.
constexpr double exact_step = 0x1p-20;

double half(const Tensor& x) { return 0.5 * x[0]; }

GradientCheck check_half(double analytic, double tolerance) {
    return check_gradient(Tensor::vector({1}), Tensor::vector({analytic}), exact_step, tolerance,
                          {0}, half);
}

}  // namespace

TEST_CASE("a gradient off by 1e-6 passes a tolerance of 2e-6, and one off by 3e-6 fails") {
    CHECK(check_half(0.5 + 1e-6, 2e-6).passed);
    CHECK(check_half(0.5 - 1e-6, 2e-6).passed);
    CHECK_FALSE(check_half(0.5 + 3e-6, 2e-6).passed);
    CHECK_FALSE(check_half(0.5 - 3e-6, 2e-6).passed);
}

TEST_CASE("the tolerance itself passes, and the next smaller number fails") {
    CHECK(check_half(0.75, 0.25).passed);
    CHECK_FALSE(check_half(0.75, std::nextafter(0.25, 0.0)).passed);
    CHECK(check_half(0.5, 0.0).passed);
    CHECK(check_half(0.5, -0.0).passed);
    CHECK_FALSE(check_half(std::nextafter(0.5, 1.0), 0.0).passed);
}

TEST_CASE("gradients past 1 are compared after division by the larger magnitude") {
    const auto check = [](double slope, double analytic) {
        return check_gradient(Tensor::scalar(1), Tensor::scalar(analytic), exact_step, 2e-6, {0},
                              [slope](const Tensor& x) { return slope * x[0]; });
    };
    CHECK(check(1024, 1024 + 0.001).passed);
    CHECK_FALSE(check(1024, 1024 + 0.003).passed);
    CHECK(check(-1024, -1024 - 0.001).passed);
    CHECK_FALSE(check(-1024, 1024).passed);
    // 2 of 4, after both were divided by the analytic 4; then by the numerical 4.
    CHECK(check(2, 4).coordinates[0].scaled_error == 0.5);
    CHECK(check(4, 2).coordinates[0].scaled_error == 0.5);
    // Below 1 nothing is divided.
    CHECK(check(0.25, 0.5).coordinates[0].scaled_error == 0.25);
}

TEST_CASE("the report holds every asked coordinate, and one failure fails it") {
    const Tensor point({2, 2}, {1, 2, 3, 4});
    const auto probe = [](const Tensor& x) { return x[0] + 2 * x[1] + 4 * x[2] + 8 * x[3]; };
    const GradientCheck check =
        check_gradient(point, Tensor({2, 2}, {1, 5, 4, 7}), exact_step, 2e-6, {0, 2, 3}, probe);
    CHECK(check.step == exact_step);
    CHECK(check.tolerance == 2e-6);
    CHECK_FALSE(check.passed);
    REQUIRE(check.coordinates.size() == 3);
    const CoordinateCheck& last = check.coordinates[2];
    CHECK(check.coordinates[0].index == 0);
    CHECK(check.coordinates[1].index == 2);
    CHECK(last.index == 3);
    CHECK(check.coordinates[0].passed);
    CHECK(check.coordinates[1].passed);
    CHECK_FALSE(last.passed);
    CHECK(last.analytic == 7);
    CHECK(last.numerical == 8);
    CHECK(last.scaled_error == 0.125);
    // The wrong 5 is not among the sampled coordinates.
    CHECK(check_gradient(point, Tensor({2, 2}, {1, 5, 4, 8}), exact_step, 2e-6, {0, 2, 3}, probe)
              .passed);
}

TEST_CASE("each probe moves one coordinate and leaves the point as it was") {
    const Tensor point = Tensor::vector({1, 2});
    std::vector<Tensor> seen;
    check_gradient(point, Tensor::vector({0, 0}), 0.5, 1, {0, 1}, [&](const Tensor& x) {
        seen.push_back(x);
        return 0.0;
    });
    REQUIRE(seen.size() == 5);
    CHECK(same_bits(seen[0], point));
    CHECK(same_bits(seen[1], Tensor::vector({0.5, 2})));
    CHECK(same_bits(seen[2], Tensor::vector({1.5, 2})));
    CHECK(same_bits(seen[3], Tensor::vector({1, 1.5})));
    CHECK(same_bits(seen[4], Tensor::vector({1, 2.5})));
}

TEST_CASE("spacings are those that occurred, weighted so that a parabola is met exactly") {
    // Around 2^53 the numbers below are 1 apart and those above 2: a step of 1.2 goes 1 and 2.
    // With d the distance from there the probe is d^2 + d: 0 on the left, 6 on the right, and the
    // true slope at d = 0 is 1. The step as asked would give 2.5, both spacings without weights 2
    // or 1.5, weights on the wrong sides 2.
    const double point = 0x1p53;
    const GradientCheck check =
        check_gradient(Tensor::scalar(point), Tensor::scalar(1), 1.2, 0, {0}, [=](const Tensor& x) {
            const double d = x[0] - point;
            return d * d + d;
        });
    CHECK(check.coordinates[0].numerical == 1);
    CHECK(check.passed);
}

TEST_CASE("a step must be finite and positive") {
    const auto with_step = [](double step) {
        return rejection<GradientCheckError, InvalidStep>(
            [=] { check_gradient(Tensor::vector({1}), Tensor::vector({1}), step, 1, {0}, half); });
    };
    CHECK(with_step(0).message == "gradient check step must be finite and positive, got 0.0");
    CHECK(with_step(-1e-6).fields.value == -1e-6);
    CHECK(with_step(-0.0).message == "gradient check step must be finite and positive, got -0.0");
    CHECK(with_step(not_a_number).message ==
          "gradient check step must be finite and positive, got NaN");
    CHECK(with_step(infinity).message ==
          "gradient check step must be finite and positive, got inf");
}

TEST_CASE("a tolerance must be finite and nonnegative") {
    const auto with_tolerance = [](double tolerance) {
        return rejection<GradientCheckError, InvalidTolerance>([=] { check_half(0.5, tolerance); });
    };
    CHECK(with_tolerance(-1e-300).message ==
          "gradient check tolerance must be finite and nonnegative, got -1e-300");
    CHECK(with_tolerance(-1e-300).fields.value == -1e-300);
    with_tolerance(not_a_number);
    CHECK(with_tolerance(infinity).fields.value == infinity);
}

TEST_CASE("a gradient of another shape than the point is refused") {
    const auto refused = rejection<GradientCheckError, GradientShapeMismatch>([] {
        check_gradient(Tensor::vector({1, 2}), Tensor({2, 1}, {1, 2}), 1, 1, {0}, half);
    });
    CHECK(refused.fields.point == tensor::Shape{2});
    CHECK(refused.fields.gradient == tensor::Shape{2, 1});
    CHECK(refused.message == "gradient check needs a gradient of shape [2], got [2, 1]");
}

TEST_CASE("no coordinates, or one past the end, are refused before the probe runs") {
    const auto never = [](const Tensor&) -> double { throw "the probe ran"; };
    const Tensor point = Tensor::vector({1, 2});
    CHECK(rejection<GradientCheckError, ZeroSamples>([&] {
              check_gradient(point, point, 1, 1, {}, never);
          }).message == "gradient check needs at least one sampled coordinate");
    const auto refused = rejection<GradientCheckError, CoordinateOutOfRange>([&] {
        check_gradient(point, point, 1, 1, {0, 2}, never);
    });
    CHECK(refused.fields.index == 2);
    CHECK(refused.fields.size == 2);
    CHECK(refused.message == "gradient check coordinate 2 is not below the size 2");
    rejection<GradientCheckError, CoordinateOutOfRange>(
        [&] { check_gradient(Tensor::vector({}), Tensor::vector({}), 1, 1, {0}, never); });
}

TEST_CASE("a step that leaves the coordinate where it was is refused, on either side") {
    const auto refused = rejection<GradientCheckError, UnchangedProbe>([] {
        check_gradient(Tensor::vector({0, 1e17}), Tensor::vector({1, 1}), 1, 1, {0, 1}, half);
    });
    CHECK(refused.fields.index == 1);
    CHECK(refused.fields.value == 1e17);
    CHECK(refused.fields.step == 1);
    CHECK(refused.message ==
          "gradient check step 1.0 does not change coordinate 1 with value 1e17");
    // Below 2^53 a step of 1 goes to the next number, above it ties back; mirrored, the reverse.
    for (const double point : {0x1p53, -0x1p53}) {
        rejection<GradientCheckError, UnchangedProbe>(
            [=] { check_gradient(Tensor::scalar(point), Tensor::scalar(1), 1, 1, {0}, half); });
    }
}

TEST_CASE("a probe that is not finite is refused with its coordinate") {
    const Tensor point = Tensor::vector({1, 2});
    const auto at_point = rejection<GradientCheckError, NonFiniteProbe>([&] {
        check_gradient(point, point, 1, 1, {1}, [](const Tensor&) { return not_a_number; });
    });
    CHECK(at_point.fields.index == 1);
    CHECK(at_point.message == "gradient check probe of coordinate 1 is not finite: NaN");
    for (const double side : {-1.0, 1.0}) {
        const auto beside = rejection<GradientCheckError, NonFiniteProbe>([&] {
            check_gradient(point, point, 1, 1, {0, 1},
                           [=](const Tensor& x) { return x[1] == 2 + side ? -infinity : 0.0; });
        });
        CHECK(beside.fields.index == 1);
        CHECK(beside.message == "gradient check probe of coordinate 1 is not finite: -inf");
    }
    const double largest = std::numeric_limits<double>::max();
    const auto moved = rejection<GradientCheckError, NonFiniteProbe>([&] {
        check_gradient(Tensor::scalar(largest), Tensor::scalar(1), largest / 2, 1, {0},
                       [](const Tensor&) { return 0.0; });
    });
    CHECK(moved.fields.value == infinity);
}

TEST_CASE("the first of several faults is reported: step, tolerance, shape, samples, range") {
    const Tensor one = Tensor::vector({1});
    const Tensor two = Tensor::vector({1, 2});
    rejection<GradientCheckError, InvalidStep>([&] { check_gradient(one, two, 0, -1, {}, half); });
    rejection<GradientCheckError, InvalidTolerance>(
        [&] { check_gradient(one, two, 1, -1, {}, half); });
    rejection<GradientCheckError, GradientShapeMismatch>(
        [&] { check_gradient(one, two, 1, 1, {}, half); });
    rejection<GradientCheckError, ZeroSamples>([&] { check_gradient(one, one, 1, 1, {}, half); });
    rejection<GradientCheckError, CoordinateOutOfRange>(
        [&] { check_gradient(one, one, 1, 1, {9}, half); });
}

TEST_CASE("an analytic gradient that is not finite fails, whatever the tolerance") {
    const double widest = std::numeric_limits<double>::max();
    CHECK_FALSE(check_half(not_a_number, widest).passed);
    CHECK_FALSE(check_half(not_a_number, widest).coordinates[0].passed);
    CHECK_FALSE(check_half(infinity, widest).passed);
    CHECK_FALSE(check_half(-infinity, widest).passed);
}

TEST_CASE("a slope that overflows fails, whatever the tolerance") {
    const GradientCheck check = check_gradient(
        Tensor::scalar(0), Tensor::scalar(0), 1e-300, std::numeric_limits<double>::max(), {0},
        [](const Tensor& x) { return x[0] > 0 ? 1e200 : 0; });
    CHECK_FALSE(check.passed);
}

TEST_CASE("the generator is the Mersenne Twister of the standard") {
    // The first outputs from the default seed, and the 10000th, which the C++ standard fixes
    // ([rand.predef]).
    std::mt19937 generator(5489);
    for (const std::uint32_t output :
         {3499211612U, 581869302U, 3890346734U, 3586334585U, 545404204U, 4161255391U}) {
        CHECK(generator() == output);
    }
    generator.discard(9993);
    CHECK(generator() == 4123659995U);
}

TEST_CASE("samples follow from the generator's outputs by the first steps of a shuffle") {
    // Pairs of the outputs above, as one 64-bit number each, leave the remainders 4 (by 10), 4 (by
    // 9) and 7 (by 8): places 4, 1 + 4 and 2 + 7.
    CHECK((std::uint64_t{3499211612U} << 32 | 581869302U) % 10 == 4);
    CHECK((std::uint64_t{3890346734U} << 32 | 3586334585U) % 9 == 4);
    CHECK((std::uint64_t{545404204U} << 32 | 4161255391U) % 8 == 7);
    CHECK(sample_coordinates(10, 3, 5489) == std::vector<std::size_t>{4, 5, 9});
}

TEST_CASE("samples are ascending, different, below the size, and the same for the same seed") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        for (const std::size_t samples : {std::size_t{1}, std::size_t{5}, std::size_t{12}}) {
            const std::vector<std::size_t> sampled = sample_coordinates(13, samples, seed);
            REQUIRE(sampled.size() == samples);
            for (std::size_t i = 1; i < samples; ++i) CHECK(sampled[i - 1] < sampled[i]);
            CHECK(sampled.back() < 13);
            CHECK(sample_coordinates(13, samples, seed) == sampled);
        }
    }
}

TEST_CASE("every coordinate is drawn by some seed") {
    std::vector<int> drawn(13, 0);
    for (std::uint32_t seed = 0; seed < 200; ++seed) ++drawn[sample_coordinates(13, 1, seed)[0]];
    for (const int times : drawn) CHECK(times > 0);
}

TEST_CASE("as many samples as coordinates, or more, mean all of them") {
    const std::vector<std::size_t> all{0, 1, 2, 3};
    CHECK(sample_coordinates(4, 4, 1) == all);
    CHECK(sample_coordinates(4, std::numeric_limits<std::size_t>::max(), 2) == all);
    CHECK(sample_coordinates(0, 1, 3).empty());
    rejection<GradientCheckError, ZeroSamples>([] { sample_coordinates(4, 0, 1); });
    rejection<GradientCheckError, ZeroSamples>([] { sample_coordinates(0, 0, 1); });
}
