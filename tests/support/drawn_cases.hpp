// Cases that try a check: drawn from a fixed seed, the same on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

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
            case 6:  // near and below the least normal number
                for (double& value : values) value = std::ldexp(unit(), -130);
                break;
            case 7:
                for (double& value : values) value = below(2) == 0 ? -0.0 : size;
                break;
            default:
                for (double& value : values) value = size * unit();
        }
        for (double& value : values) value = static_cast<double>(static_cast<float>(value));
        return values;
    }

    std::vector<float> row32(std::size_t width, int reach = 60) {
        const std::vector<double> values = row(width, reach);
        return {values.begin(), values.end()};
    }

    rmsnorm::tensor::Tensor rows(std::size_t count, std::size_t width) {
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i) {
            for (const double value : row(width)) values.push_back(value);
        }
        return rmsnorm::tensor::Tensor({count, width}, std::move(values));
    }

    double epsilon() {
        constexpr double all[] = {0, 0, 1e-5, 1e-6, 1e-12, 1e-30, 0x1p-149, 1, 1e10};
        return all[below(sizeof all / sizeof *all)];
    }

    float epsilon32() { return static_cast<float>(epsilon()); }

  private:
    std::mt19937 generator_;
};

}  // namespace drawn
