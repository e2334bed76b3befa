#include "nn/rms_norm.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "autodiff/backward.hpp"
#include "autodiff/gradient_check.hpp"
#include "nn/normalization.hpp"
#include "numeric/bits.hpp"
#include "numeric/elementary.hpp"
#include "support/naive_indexing.hpp"
#include "support/rejection.hpp"
#include "tensor/elementwise.hpp"

using namespace rmsnorm;
using namespace rmsnorm::nn;
using autodiff::Value;
using tensor::same_bits;
using tensor::Shape;
using tensor::Tensor;
using testing::rejection;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t largest_size = std::numeric_limits<std::size_t>::max();
constexpr double unit_roundoff = 0x1p-53;
const char* const gain_name = "decoder.block.0.attention_norm.gain";

// Reference figures of the chapter's own program, as bit patterns.
namespace reference {

using Bits = std::vector<std::string>;

const Bits mean_square{"4029000000000000"};
const Bits inverse_rms{"3fd21a17d884853a"};
const Bits normalized{"3feb2723c4c6c7d7", "3ff21a17d884853a"};
const Bits output{"3ff45d5ad39515e1", "3fe21a17d884853a"};
const Bits input_gradient{"3fda111827a49c73", "bfd38cd1ff5cbf14"};
const Bits gain_gradient{"3feb2723c4c6c7d7", "c0021a17d884853a"};
const Bits ideal_base{"3feb27247aff148f", "3ff21a1851ff630a"};
const Bits ideal_scaled{"3feb27247aff1490", "3ff21a1851ff630b"};
const Bits production_scaled{"3feb2724792c98d6", "3ff21a1850c865e4"};
const Bits near_zero_base{"3fb822cb17ff2eb9", "3fc017320fff747c"};
const Bits near_zero_scaled{"3fe43d136248490e", "3feafc19d8606169"};
const Bits zero_output{"0000000000000000", "0000000000000000"};
const Bits batch_output{"3ff45d5ad39515e1", "3fe21a17d884853a", "0000000000000000",
                        "3fe6a09dcea5a688"};
const Bits history{"3fdc9f25c5bfedda", "3ff5775c544ff264"};

}  // namespace reference

reference::Bits bits_of(const Tensor& tensor) {
    reference::Bits result;
    for (const double value : tensor.values()) result.push_back(numeric::hex(value));
    return result;
}

RmsNorm layer(std::vector<double> gain, double epsilon) {
    return RmsNorm(NamedParameter(gain_name, Tensor::vector(std::move(gain))), epsilon);
}

reference::Bits normalized_bits(std::vector<double> input, double epsilon) {
    const Value value = Value::constant(Tensor::vector(std::move(input)));
    return bits_of(layer({1, 1}, epsilon).forward_with_intermediates(value).normalized.tensor());
}

template <class Case>
testing::Rejection<Case> refused_forward(const RmsNorm& norm, const Tensor& input) {
    return rejection<RmsNormError, Case>([&] { norm.forward(Value::constant(input)); });
}

template <class Case>
testing::Rejection<Case> refused_layer(const std::string& name, std::size_t width, double epsilon) {
    return rejection<RmsNormError, Case>([&] { RmsNorm(name, width, epsilon); });
}

template <class Case>
testing::Rejection<Case> refused_gain(const Tensor& gain, double epsilon) {
    return rejection<RmsNormError, Case>([&] { RmsNorm(NamedParameter("g", gain), epsilon); });
}

// Numbers of one sign pattern over a common power of two, so that rows differ in scale.
Tensor random_row(std::mt19937& generator, std::size_t width, int exponent) {
    Tensor row = testing::random_tensor(generator, {width});
    for (std::size_t i = 0; i < width; ++i) row[i] = std::ldexp(row[i], exponent);
    return row;
}

int random_exponent(std::mt19937& generator, int bound) {
    return static_cast<int>(generator() % static_cast<unsigned>(2 * bound + 1)) - bound;
}

}  // namespace

TEST_CASE("the chapter's forward and backward figures are met bit for bit") {
    const Value input = Value::parameter(Tensor::vector({3, 4}));
    const RmsNorm norm = layer({1.5, 0.5}, 1e-5);
    const RmsNormForward forward = norm.forward_with_intermediates(input);
    CHECK(bits_of(forward.mean_square.tensor()) == reference::mean_square);
    CHECK(bits_of(forward.inverse_rms.tensor()) == reference::inverse_rms);
    CHECK(bits_of(forward.normalized.tensor()) == reference::normalized);
    CHECK(bits_of(forward.output.tensor()) == reference::output);
    CHECK(forward.mean_square.shape() == Shape{1});
    CHECK(forward.inverse_rms.shape() == Shape{1});
    CHECK(same_bits(norm.forward(input).tensor(), forward.output.tensor()));
    autodiff::backward(forward.output, Tensor::vector({1, -2}));
    CHECK(bits_of(input.gradient()) == reference::input_gradient);
    CHECK(bits_of(norm.gain().value().gradient()) == reference::gain_gradient);
}

TEST_CASE("the chapter's scale, zero, batch and history figures are met bit for bit") {
    CHECK(normalized_bits({3, 4}, 0) == reference::ideal_base);
    CHECK(normalized_bits({30, 40}, 0) == reference::ideal_scaled);
    CHECK(normalized_bits({3, 4}, 1e-5) == reference::normalized);
    CHECK(normalized_bits({30, 40}, 1e-5) == reference::production_scaled);
    CHECK(normalized_bits({0.0003, 0.0004}, 1e-5) == reference::near_zero_base);
    CHECK(normalized_bits({0.0003 * 10, 0.0004 * 10}, 1e-5) == reference::near_zero_scaled);
    CHECK(normalized_bits({0, 0}, 1e-5) == reference::zero_output);
    CHECK(normalized_bits({1, 3}, 0) == reference::history);
    const Value batch = Value::constant(Tensor({2, 2}, {3, 4, 0, 5}));
    CHECK(bits_of(layer({1.5, 0.5}, 1e-5).forward(batch).tensor()) == reference::batch_output);
}

TEST_CASE("a layer starts with a named gain of ones") {
    const RmsNorm norm(gain_name, 3, 0.25);
    CHECK(norm.gain().name() == gain_name);
    CHECK(same_bits(norm.gain().value().tensor(), Tensor::vector({1, 1, 1})));
    CHECK(norm.gain().value().tracked());
    CHECK(norm.feature_width() == 3);
    CHECK(norm.epsilon() == 0.25);
}

TEST_CASE("the gain is the layer's one parameter, and nobody can give it another shape") {
    RmsNorm norm(gain_name, 3, 0.25);
    REQUIRE(norm.parameters().size() == 1);
    CHECK(&norm.parameters()[0] == &norm.gain());
    static_assert(std::is_same_v<decltype(norm.gain()), const NamedParameter&>);
    static_assert(std::is_same_v<decltype(norm.parameters()[0]), const NamedParameter&>);
    static_assert(std::is_same_v<decltype(std::declval<NamedParameter&>().value()), const Value&>);
}

TEST_CASE("two errors are equal when their cases are, in every field and at every depth") {
    const auto error = [](auto action) {
        try {
            action();
        } catch (const RmsNormError& thrown) {
            return thrown;
        }
        throw "nothing was refused";
    };
    const auto width = [&](std::size_t size) {
        return error(
            [&] { RmsNorm("g", 2, 1e-5).forward(Value::constant(Tensor::filled({size}, 1.0))); });
    };
    CHECK(width(3) == width(3));
    CHECK(width(3) != width(4));
    CHECK(width(3) != error([] { RmsNorm("g", 0, 1e-5); }));
    const auto name = [&](const char* text) { return error([&] { RmsNorm(text, 2, 1e-5); }); };
    CHECK(name("a b") == name("c d"));
    CHECK(name("a b") != name("ab c"));
    const auto overflow = [&](double value) {
        return error([&] {
            RmsNorm("g", 2, 1e-5).forward(Value::constant(Tensor::vector({1, value})));
        });
    };
    CHECK(overflow(1e200) == overflow(1e250));
    CHECK(overflow(1e200) != width(3));
    // Of two norms with the same case, only the message tells which one refused.
    const NormalizationError layer("LayerNorm", EmptyVector{});
    CHECK(layer == NormalizationError("LayerNorm", EmptyVector{}));
    CHECK(layer != NormalizationError("RMSNorm", EmptyVector{}));
}

TEST_CASE("every row of a batch is normalized as if it were alone, forward and backward") {
    std::mt19937 generator(1);
    for (const double epsilon : {0.0, 1e-5}) {
        for (int round = 0; round < 50; ++round) {
            constexpr std::size_t rows = 6;
            constexpr std::size_t width = 5;
            const Tensor gain = testing::random_tensor(generator, {width});
            Tensor batch({2, 3, width}, std::vector<double>(rows * width));
            for (std::size_t row = 0; row < rows; ++row) {
                const Tensor values = random_row(generator, width, random_exponent(generator, 100));
                for (std::size_t i = 0; i < width; ++i) batch[row * width + i] = values[i];
            }
            const Tensor upstream = testing::random_tensor(generator, batch.shape());
            const RmsNorm norm(NamedParameter("g", gain), epsilon);
            const Value input = Value::parameter(batch);
            const RmsNormForward together = norm.forward_with_intermediates(input);
            CHECK(together.mean_square.shape() == Shape{2, 3, 1});
            CHECK(together.output.shape() == batch.shape());
            autodiff::backward(together.output, upstream);
            for (std::size_t row = 0; row < rows; ++row) {
                const auto slice = [&](const Tensor& tensor, std::size_t columns) {
                    const auto values = tensor.values().subspan(row * columns, columns);
                    return Tensor::vector({values.begin(), values.end()});
                };
                const Value one = Value::parameter(slice(batch, width));
                const RmsNormForward alone = norm.forward_with_intermediates(one);
                CHECK(
                    same_bits(alone.mean_square.tensor(), slice(together.mean_square.tensor(), 1)));
                CHECK(
                    same_bits(alone.inverse_rms.tensor(), slice(together.inverse_rms.tensor(), 1)));
                CHECK(same_bits(alone.normalized.tensor(),
                                slice(together.normalized.tensor(), width)));
                CHECK(same_bits(alone.output.tensor(), slice(together.output.tensor(), width)));
                autodiff::backward(alone.output, slice(upstream, width));
                CHECK(same_bits(one.gradient(), slice(input.gradient(), width)));
            }
        }
    }
}

TEST_CASE("a batch without rows gives empty results and a zero gain gradient") {
    for (const Shape& shape : {Shape{0, 2}, Shape{3, 0, 2}, Shape{0, 0, 2}}) {
        for (const double epsilon : {0.0, 1e-5}) {
            const Value input = Value::parameter(Tensor(shape, {}));
            const RmsNorm norm = layer({1.5, 0.5}, epsilon);
            const RmsNormForward forward = norm.forward_with_intermediates(input);
            Shape statistics = shape;
            statistics.back() = 1;
            CHECK(forward.mean_square.shape() == statistics);
            CHECK(forward.inverse_rms.shape() == statistics);
            CHECK(forward.normalized.shape() == shape);
            CHECK(forward.output.shape() == shape);
            autodiff::backward(forward.output, Tensor(shape, {}));
            CHECK(same_bits(input.gradient(), Tensor(shape, {})));
            CHECK(same_bits(norm.gain().value().gradient(), Tensor::vector({0, 0})));
        }
    }
}

TEST_CASE("scaling by a power of two scales the mean square by its square, exactly") {
    // No square of a number from 2^-51 to 2 times 2^-200 leaves the normal range.
    std::mt19937 generator(2);
    for (int round = 0; round < 300; ++round) {
        const std::size_t width = 1 + generator() % 9;
        const Tensor row = random_row(generator, width, 0);
        const int exponent = random_exponent(generator, 200);
        Tensor scaled = row;
        for (std::size_t i = 0; i < width; ++i) scaled[i] = std::ldexp(row[i], exponent);
        const RmsNorm norm("g", width, 1.0);
        const auto mean_square = [&](const Tensor& input) {
            return norm.forward_with_intermediates(Value::constant(input)).mean_square.tensor()[0];
        };
        CHECK(numeric::same_bits(mean_square(scaled), std::ldexp(mean_square(row), 2 * exponent)));
    }
}

TEST_CASE("the normalized mean square is ms / (ms + epsilon), within what exp(-0.5 log) allows") {
    // Relative errors in units of u = 2^-53, first order, for width d and s = ms + epsilon:
    //   s itself                                    1
    //   log s, within one unit in the last place    2, which exp turns into |log s| (half of 2, as
    //                                               the factor -0.5 is exact)
    //   exp, within one unit in the last place      2
    // so that the reciprocal RMS errs by 2 + |log s| against the computed s. A normalized feature
    // adds 1. The mean of the squares doubles that and adds one for the square, d - 1 for the sum
    // and 1 for the division: 2 (3 + |log s|) + d + 1. The computed ms itself errs by d + 1 against
    // the exact mean of the squared inputs, s by 1, and the expected ratio, computed here with a
    // sum and a division, by 2. Together 2 |log s| + 2 d + 11; 1 more covers the second order.
    std::mt19937 generator(3);
    int past_the_bound_without_log = 0;
    for (const double epsilon : {0.0, 1e-12, 1e-5, 1.0}) {
        for (int round = 0; round < 300; ++round) {
            const std::size_t width = 1 + generator() % 9;
            const Tensor row = random_row(generator, width, random_exponent(generator, 300));
            const RmsNorm norm("g", width, epsilon);
            const RmsNormForward forward = norm.forward_with_intermediates(Value::constant(row));
            double squares = 0;
            for (const double value : forward.normalized.tensor().values()) {
                squares += value * value;
            }
            const double actual = squares / static_cast<double>(width);
            const double mean_square = forward.mean_square.tensor()[0];
            const double expected = mean_square / (mean_square + epsilon);
            const double rounding = (2 * static_cast<double>(width) + 12) * unit_roundoff;
            const double logarithm = std::fabs(numeric::log(mean_square + epsilon));
            const double error = std::fabs(actual - expected);
            CAPTURE(mean_square);
            CAPTURE(epsilon);
            CHECK(error <= (rounding + 2 * logarithm * unit_roundoff) * expected);
            if (error > rounding * expected) ++past_the_bound_without_log;
        }
    }
    // The logarithm's share is needed: far from 1 the error does grow.
    CHECK(past_the_bound_without_log > 0);
}

TEST_CASE("without epsilon the input and its gradient are orthogonal") {
    // With w = upstream * gain as rounded, r the reciprocal RMS as computed (whatever its error),
    // m the mean square and A = sum w x, the gradient is w r - x A r / (d m), and its product with
    // x vanishes for the exact m. In units of u = 2^-53 times r S, S = sum |w x| >= |A|, computing
    //   w r                                    rounds once: 1
    //   A                                      d products and d - 1 sums: d
    //   A r, / m, / d, times x                 4
    //   m                                      d + 1
    //   two additions to the adjoint of x      each at most 2: 4
    // and the product with x taken here adds d roundings of sum |x g| <= 2 r S: 2 d. Together
    // 4 d + 10; 2 more cover the second order.
    std::mt19937 generator(4);
    int past_the_bound_without_projection = 0;
    for (int round = 0; round < 500; ++round) {
        const std::size_t width = 1 + generator() % 9;
        const auto d = static_cast<double>(width);
        const Tensor x = random_row(generator, width, random_exponent(generator, 100));
        const Tensor gain = testing::random_tensor(generator, {width});
        const Tensor upstream = testing::random_tensor(generator, {width});
        const RmsNorm norm(NamedParameter("g", gain), 0);
        const Value input = Value::parameter(x);
        const RmsNormForward forward = norm.forward_with_intermediates(input);
        autodiff::backward(forward.output, upstream);
        const double r = forward.inverse_rms.tensor()[0];
        double product = 0;
        double unprojected = 0;
        double size = 0;
        for (std::size_t i = 0; i < width; ++i) {
            const double w = upstream[i] * gain[i];
            product += x[i] * input.gradient()[i];
            unprojected += x[i] * (w * r);
            size += std::fabs(w * x[i]);
        }
        const double bound = (4 * d + 12) * unit_roundoff * r * size;
        CHECK(std::fabs(product) <= bound);
        if (std::fabs(unprojected) > bound) ++past_the_bound_without_projection;
    }
    // A gradient without its second term would not have passed, in any round.
    CHECK(past_the_bound_without_projection == 500);
}

TEST_CASE("the gain's gradient is the sum over the rows of upstream times normalized") {
    std::mt19937 generator(5);
    const Value input = Value::constant(testing::random_tensor(generator, {4, 3}));
    const Tensor upstream = testing::random_tensor(generator, {4, 3});
    const RmsNorm norm("g", 3, 1e-5);
    const RmsNormForward forward = norm.forward_with_intermediates(input);
    autodiff::backward(forward.output, upstream);
    Tensor expected = Tensor::filled({3}, 0.0);
    for (std::size_t i = 0; i < upstream.size(); ++i) {
        expected[i % 3] += upstream[i] * forward.normalized.tensor()[i];
    }
    CHECK(same_bits(norm.gain().value().gradient(), expected));
}

TEST_CASE("gradients agree with central differences, and one off by 3e-6 does not") {
    const Tensor input = Tensor::vector({3, 4});
    const Tensor upstream = Tensor::vector({1, -2});
    const RmsNorm norm = layer({1.5, 0.5}, 1e-5);
    const Value value = Value::parameter(input);
    autodiff::backward(norm.forward(value), upstream);
    const auto probe = [&](const Tensor& moved) {
        const Tensor output = norm.forward(Value::constant(moved)).tensor();
        return output[0] * upstream[0] + output[1] * upstream[1];
    };
    const auto check = [&](const Tensor& gradient) {
        return autodiff::check_gradient(input, gradient, 1e-6, 2e-6, {0, 1}, probe);
    };
    // A third derivative below 1 leaves h^2 / 6 < 1e-12; rounding leaves some 2^-52 / h < 1e-9.
    CHECK(check(value.gradient()).passed);
    for (std::size_t i = 0; i < 2; ++i) {
        Tensor wrong = value.gradient();
        wrong[i] += 3e-6;
        CHECK_FALSE(check(wrong).passed);
        CHECK(check(wrong).coordinates[1 - i].passed);
    }
}

TEST_CASE("epsilon must be finite and nonnegative, and minus zero is zero") {
    const auto message = [](double epsilon) {
        return refused_layer<InvalidEpsilon>("g", 2, epsilon).message;
    };
    const std::string rule = "RMSNorm epsilon must be finite and nonnegative, got ";
    CHECK(message(not_a_number) == rule + "NaN");
    CHECK(message(infinity) == rule + "inf");
    CHECK(message(-infinity) == rule + "-inf");
    CHECK(message(-1e-300) == rule + "-1e-300");
    CHECK(message(-1) == rule + "-1.0");
    CHECK(refused_layer<InvalidEpsilon>("g", 2, -0.5).fields.value == -0.5);
    CHECK(refused_gain<InvalidEpsilon>(Tensor::vector({1}), -0.25).message == rule + "-0.25");
    const RmsNorm norm("g", 2, -0.0);
    CHECK(norm.epsilon() == 0);
    refused_forward<ZeroEnergyRow>(norm, Tensor::vector({0, 0}));
    CHECK(bits_of(norm.forward(Value::constant(Tensor::vector({3, 4}))).tensor()) ==
          reference::ideal_base);
    CHECK_NOTHROW(RmsNorm("g", 2, std::numeric_limits<double>::max()));
}

TEST_CASE("a layer has features, and a gain of one axis") {
    CHECK(refused_layer<EmptyFeatureWidth>("g", 0, 1).message ==
          "RMSNorm feature width must be greater than zero");
    CHECK(refused_gain<EmptyFeatureWidth>(Tensor::vector({}), 1).message ==
          "RMSNorm feature width must be greater than zero");
    const auto refused = refused_gain<GainRank>(Tensor({1, 2}, {1, 1}), 1);
    CHECK(refused.fields.shape == Shape{1, 2});
    CHECK(refused.message == "RMSNorm gain must have rank 1, got shape [1, 2]");
    CHECK(refused_gain<GainRank>(Tensor::scalar(1), 1).message ==
          "RMSNorm gain must have rank 1, got shape []");
}

TEST_CASE("a gain that memory cannot hold is refused without asking for it") {
    const auto refused = refused_layer<GainAllocationFailed>("g", largest_size, 1);
    CHECK(refused.fields.elements == largest_size);
    CHECK(refused.message ==
          "could not reserve storage for " + std::to_string(largest_size) + " RMSNorm gain values");
    refused_layer<GainAllocationFailed>("g", largest_size / 16 + 1, 1);
}

#if defined(__SANITIZE_ADDRESS__)
#define RMSNORM_SANITIZED_ALLOCATOR
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RMSNORM_SANITIZED_ALLOCATOR
#endif
#endif
#if SIZE_MAX > 0xffffffff && !defined(RMSNORM_SANITIZED_ALLOCATOR)
TEST_CASE("a gain that the allocator refuses is a typed error") {
    // 2^53 bytes: past the address space of today's processors. Sanitizers end the program instead.
    const auto elements = static_cast<std::size_t>(0x1p50);
    CHECK(refused_layer<GainAllocationFailed>("g", elements, 1).fields.elements == elements);
}
#endif

TEST_CASE("a bad gain name is refused with the name's own error") {
    const auto refused = refused_layer<InvalidGainName>("a b", 2, 1);
    CHECK(std::get<NameCharacter>(refused.fields.source.rejection()).code_point == ' ');
    CHECK(refused.message == refused.fields.source.what());
    CHECK(refused_layer<InvalidGainName>("", 2, 1).message == "parameter name must not be empty");
}

TEST_CASE("a layer's faults are judged in a fixed order: epsilon, width or rank, name, storage") {
    refused_layer<InvalidEpsilon>("", 0, not_a_number);
    refused_layer<EmptyFeatureWidth>("", 0, 1);
    refused_layer<InvalidGainName>("", largest_size, 1);
    refused_layer<GainAllocationFailed>("g", largest_size, 1);
    refused_gain<InvalidEpsilon>(Tensor({0, 2}, {}), -1);
    refused_gain<GainRank>(Tensor({0, 2}, {}), 1);
    refused_gain<GainRank>(Tensor({2, 0}, {}), 1);
}

TEST_CASE("an input needs an axis, and a last one as wide as the gain") {
    const RmsNorm norm("g", 2, 0);
    CHECK(refused_forward<InputRankZero>(norm, Tensor::scalar(1)).message ==
          "RMSNorm input must have at least one axis");
    const auto refused = refused_forward<InputWidthMismatch>(norm, Tensor::vector({1, 2, 3}));
    CHECK(refused.fields.expected == 2);
    CHECK(refused.fields.actual == 3);
    CHECK(refused.message == "RMSNorm input feature width must be 2, got 3");
    refused_forward<InputWidthMismatch>(norm, Tensor({2, 0}, {}));
    refused_forward<InputWidthMismatch>(norm, Tensor({2, 1}, {1, 1}));
    // The width is judged before what the rows hold: these have no energy, and too much.
    refused_forward<InputWidthMismatch>(norm, Tensor({1, 3}, {0, 0, 0}));
    refused_forward<InputWidthMismatch>(norm, Tensor::vector({1e200, 1e200, 1e200}));
}

TEST_CASE("without epsilon a row whose computed mean square is zero is refused by its number") {
    const RmsNorm norm("g", 2, 0);
    const auto refused = refused_forward<ZeroEnergyRow>(norm, Tensor::vector({0, 0}));
    CHECK(refused.fields.row == 0);
    CHECK(refused.message == "RMSNorm epsilon is zero but feature row 0 has zero mean square");
    // Nonzero squares that underflow are no energy either.
    refused_forward<ZeroEnergyRow>(norm, Tensor::vector({1e-200, -1e-200}));
    refused_forward<ZeroEnergyRow>(norm, Tensor::vector({-0.0, 0.0}));
    // The sum of the squares, 2^-1074, is lost when it is halved.
    refused_forward<ZeroEnergyRow>(norm, Tensor::vector({0x1p-537, 0}));
    CHECK_NOTHROW(norm.forward(Value::constant(Tensor::vector({0x1p-537, 0x1p-537}))));
    const Tensor batch({2, 2, 2}, {1, 0, 0, 1, 3, 4, 0, 0});
    CHECK(refused_forward<ZeroEnergyRow>(norm, batch).message ==
          "RMSNorm epsilon is zero but feature row 3 has zero mean square");
    CHECK(refused_forward<ZeroEnergyRow>(norm, Tensor({3, 2}, {1, 1, 0, 0, 0, 0})).fields.row == 1);
}

TEST_CASE("with epsilon a row without energy gives finite zeros and finite gradients") {
    for (const double epsilon : {1e-5, std::numeric_limits<double>::denorm_min()}) {
        const Value input = Value::parameter(Tensor::vector({0, 0}));
        const RmsNorm norm("g", 2, epsilon);
        const RmsNormForward forward = norm.forward_with_intermediates(input);
        CHECK(same_bits(forward.output.tensor(), Tensor::vector({0, 0})));
        autodiff::backward(forward.output, Tensor::vector({1, -2}));
        CHECK(same_bits(input.gradient(),
                        tensor::multiply(Tensor::vector({1, -2}), forward.inverse_rms.tensor())));
        CHECK(same_bits(norm.gain().value().gradient(), Tensor::vector({0, 0})));
    }
}

TEST_CASE("a step that overflows is named by its stage and carries the tape's error") {
    const auto square =
        refused_forward<TapeFailure>(RmsNorm("g", 2, 0), Tensor::vector({1, 1e200}));
    CHECK(square.fields.stage == RmsNormStage::square);
    const auto& source = std::get<autodiff::NonFiniteForward>(square.fields.source.rejection());
    CHECK(source.operation == autodiff::Operation::multiply);
    CHECK(source.index == 1);
    CHECK(square.message == "RMSNorm square: multiply result is not finite at flat index 1: inf");

    const auto mean_square =
        refused_forward<TapeFailure>(RmsNorm("g", 2, 0), Tensor::vector({1e154, 1e154}));
    CHECK(mean_square.fields.stage == RmsNormStage::mean_square);
    CHECK(mean_square.message ==
          "RMSNorm mean square: mean result is not finite at flat index 0: inf");

    const double largest = std::numeric_limits<double>::max();
    const auto stabilize =
        refused_forward<TapeFailure>(RmsNorm("g", 1, largest), Tensor::vector({1e154}));
    CHECK(stabilize.fields.stage == RmsNormStage::stabilize);
    CHECK(stabilize.message == "RMSNorm stabilize: add result is not finite at flat index 0: inf");

    const auto gain = refused_forward<TapeFailure>(layer({1, largest}, 0), Tensor::vector({3, 4}));
    CHECK(gain.fields.stage == RmsNormStage::apply_gain);
    CHECK(gain.message == "RMSNorm apply gain: multiply result is not finite at flat index 1: inf");
}

TEST_CASE("overflow in one row comes before another row without energy") {
    CHECK(
        refused_forward<TapeFailure>(RmsNorm("g", 1, 0), Tensor({2, 1}, {0, 1e200})).fields.stage ==
        RmsNormStage::square);
}

TEST_CASE("stages have names in the order of the steps") {
    const std::vector<std::string_view> names{"square",    "mean square",     "epsilon constant",
                                              "stabilize", "log mean square", "exponent constant",
                                              "scale log", "reciprocal root", "normalize",
                                              "apply gain"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        CHECK(name(static_cast<RmsNormStage>(i)) == names[i]);
    }
}

TEST_CASE("each error goes by the name of its case") {
    const auto name_of = [](RmsNormError::Case rejection) {
        return case_name(RmsNormError(std::move(rejection)));
    };
    CHECK(name_of(InvalidEpsilon{-1}) == "InvalidEpsilon");
    CHECK(name_of(EmptyFeatureWidth{}) == "EmptyFeatureWidth");
    CHECK(name_of(GainRank{{}}) == "GainRank");
    CHECK(name_of(GainAllocationFailed{1}) == "GainAllocationFailed");
    CHECK(name_of(InputRankZero{}) == "InputRankZero");
    CHECK(name_of(InputWidthMismatch{1, 2}) == "InputWidthMismatch");
    CHECK(name_of(ZeroEnergyRow{0}) == "ZeroEnergyRow");
    CHECK(name_of(InvalidGainName{ParameterNameError(EmptyName{})}) == "InvalidGainName");
    CHECK(name_of(TapeFailure{RmsNormStage::square,
                              autodiff::AutodiffError(autodiff::UntrackedOutput{})}) ==
          "TapeFailure");
}
