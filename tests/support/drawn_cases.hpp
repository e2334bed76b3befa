// Cases that try a check: drawn from a fixed seed, the same on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "evidence/layer_case.hpp"
#include "tensor/tensor.hpp"

namespace drawn {

class Cases {
  public:
    explicit Cases(std::uint32_t seed) : generator_(seed) {}

    std::size_t below(std::size_t bound) { return generator_() % bound; }

    /// A width from 1 to 1024: few are wide.
    std::size_t width(std::size_t most = 1024) {
        const std::size_t octave = below(below(8) == 0 ? 11 : 6);
        const std::size_t least = std::size_t{1} << octave;
        return std::min(least + below(least), most);
    }

    /// Uniform over [-1, 1), 24 bits.
    double unit() { return std::ldexp(static_cast<double>(generator_() >> 7), -24) - 1; }

    /// From about 1e-30 to 1e30, either sign.
    double scale(int reach = 100) {
        const bool negative = below(2) == 0;
        const int exponent = static_cast<int>(below(2 * static_cast<std::size_t>(reach))) - reach;
        const double magnitude = std::ldexp(1 + std::fabs(unit()), exponent);
        return negative ? -magnitude : magnitude;
    }

    /// One of the rows that checks have been wrong about, of numbers that binary32 holds.
    std::vector<double> row(std::size_t width, int reach = 100) {
        std::vector<double> values = wide_row(width, reach);
        for (double& value : values) value = static_cast<double>(static_cast<float>(value));
        return values;
    }

    /// The same of any numbers from about 2^-reach to 2^reach, and of a few below.
    std::vector<double> wide_row(std::size_t width, int reach) {
        std::vector<double> values(width);
        const double size = below(3) == 0 ? 1 : scale(reach);
        switch (below(9)) {
            case 0:
                for (double& value : values) value = size;
                break;
            case 1:
                for (double& value : values) value = unit();
                values[0] = scale(reach);
                std::swap(values[0], values[below(width)]);
                break;
            case 2: break;
            case 3:  // an offset that leaves the spread few digits
                for (double& value : values) value = size * (1 + std::ldexp(unit(), -18));
                break;
            case 4:
                for (double& value : values) value = scale(reach);
                break;
            case 5:
                for (double& value : values) value = std::round(unit() * 4);
                break;
            case 6:  // near and below the least normal number of the format
                for (double& value : values) value = std::ldexp(unit(), reach > 128 ? -1030 : -130);
                break;
            case 7:
                for (double& value : values) value = below(2) == 0 ? -0.0 : size;
                break;
            default:
                for (double& value : values) value = size * unit();
        }
        return values;
    }

    std::vector<float> row32(std::size_t width, int reach = 60) {
        const std::vector<double> values = row(width, reach);
        return {values.begin(), values.end()};
    }

    rmsnorm::tensor::Tensor wide_rows(std::size_t count, std::size_t width, int reach) {
        return stacked(count, width, [&] { return wide_row(width, reach); });
    }

    rmsnorm::tensor::Tensor rows(std::size_t count, std::size_t width) {
        return stacked(count, width, [&] { return row(width); });
    }

    double epsilon() {
        constexpr double all[] = {0, 0, 1e-5, 1e-6, 1e-12, 1e-30, 0x1p-149, 1, 1e10};
        return all[below(sizeof all / sizeof *all)];
    }

    float epsilon32() { return static_cast<float>(epsilon()); }

  private:
    template <class Draw>
    rmsnorm::tensor::Tensor stacked(std::size_t count, std::size_t width, Draw draw) {
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i) {
            for (const double value : draw()) values.push_back(value);
        }
        return rmsnorm::tensor::Tensor({count, width}, std::move(values));
    }

    std::mt19937 generator_;
};

/// Input, gain and upstream at both ends of binary64; squares of the input stay below the upper
/// one.
inline rmsnorm::evidence::LayerCase wide_case(Cases& c) {
    const std::size_t width = c.width(48);
    const std::size_t rows = 1 + c.below(3);
    constexpr int reaches[] = {1, 30, 500, 1020};
    const auto reach = [&](std::size_t of) { return reaches[c.below(of)]; };
    const auto vector = [&](int most) {
        return rmsnorm::tensor::Tensor::vector(c.wide_row(width, most));
    };
    // One draw after the other: the order of arguments is the compiler's.
    rmsnorm::tensor::Tensor input = c.wide_rows(rows, width, reach(3));
    rmsnorm::tensor::Tensor gain = vector(reach(4));
    rmsnorm::tensor::Tensor upstream = c.wide_rows(rows, width, reach(4));
    return {std::move(input), std::move(gain), std::move(upstream), c.epsilon(), "drawn.gain"};
}

}  // namespace drawn
