#include "evidence/random_cases.hpp"

#include <array>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "autodiff/backward.hpp"
#include "evidence/layer_case.hpp"
#include "numeric/bits.hpp"

namespace rmsnorm::evidence {
namespace {

// Draws that are the same everywhere: the generator is the standard's, the mapping is this one.
class Draw {
  public:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(generator_() % bound); }

    // A random significand, sign and exponent; the exponent is within `reach` of zero.
    double number(int reach) {
        const std::uint64_t high = generator_();
        const std::uint64_t significand = (high << 32 | generator_()) >> 12;
        const std::uint64_t sign = generator_() & 1U;
        const auto most = static_cast<std::size_t>(reach);
        const std::uint64_t exponent = 1023 - most + below(2 * most + 1);
        return numeric::binary64(sign << 63 | exponent << 52 | significand);
    }

    tensor::Tensor tensor(tensor::Shape shape, int reach) {
        std::vector<double> values(tensor::element_count(shape));
        for (double& value : values) value = number(reach);
        return tensor::Tensor(std::move(shape), std::move(values));
    }

  private:
    std::mt19937 generator_{1910};
};

LayerCase next_case(Draw& draw) {
    constexpr std::array<double, 5> epsilons{0.0, 1e-12, 1e-6, 1e-5, 1.0};
    constexpr std::array<int, 4> reaches{1, 12, 60, 400};
    const std::size_t width = 1 + draw.below(8);
    const std::size_t rows = 1 + draw.below(3);
    const int reach = reaches[draw.below(reaches.size())];
    LayerCase layer_case;
    layer_case.epsilon = epsilons[draw.below(epsilons.size())];
    layer_case.input = draw.tensor({rows, width}, reach);
    layer_case.gain = draw.tensor({width}, 3);
    layer_case.upstream = draw.tensor({rows, width}, 3);
    layer_case.gain_name = "random.gain";
    return layer_case;
}

}  // namespace

void run_random_cases(std::size_t count, const OperandSink& sink) {
    Draw draw;
    for (std::size_t index = 0; index < count; ++index) {
        const LayerCase layer_case = next_case(draw);
        try {
            const nn::RmsNorm norm = layer(layer_case);
            const auto input = autodiff::Value::parameter(layer_case.input);
            const auto pass = norm.forward_with_intermediates(input);
            sink(index, "mean_square", pass.mean_square.tensor());
            sink(index, "inverse_rms", pass.inverse_rms.tensor());
            sink(index, "normalized", pass.normalized.tensor());
            sink(index, "output", pass.output.tensor());
            autodiff::backward(pass.output, layer_case.upstream);
            sink(index, "input_gradient", input.gradient());
            sink(index, "gain_gradient", norm.gain().value().gradient());
        } catch (const nn::RmsNormError&) {
            sink(index, "rejected", tensor::Tensor({0}, {}));
        } catch (const autodiff::AutodiffError&) {
            sink(index, "rejected", tensor::Tensor({0}, {}));
        }
    }
}

}  // namespace rmsnorm::evidence
