#include "judge/probe_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace rmsnorm::judge {
namespace {

using Sizes = std::vector<double>;

// The power of two about the size.
int exponent_of(double size) {
    int exponent = 0;
    std::frexp(size, &exponent);
    return exponent;
}

double root_of_epsilon(const Tensors& tensors) {
    return tensors.epsilon > 0 ? std::sqrt(tensors.epsilon) : 1;
}

// Rows whose root mean square is about one of `sizes` times that of epsilon, in turn.
Probe of_few_bits(const Tensors& tensors, std::size_t rows, std::size_t width, const Sizes& sizes,
                  std::size_t salt) {
    Probe probe{rows, width, tensors.epsilon, {}, {}};
    for (std::size_t k = 0; k < rows; ++k) {
        const int exponent = exponent_of(root_of_epsilon(tensors) * sizes[k % sizes.size()]);
        for (std::size_t i = 0; i < width; ++i) {
            const auto step = static_cast<int>((7 * i + 5 * k + i * i + salt * (k + 3 * i)) % 11);
            const double size = std::ldexp(static_cast<double>(8 + step), -3);
            const double sign = (i + k) % 5 == 4 ? -1 : 1;
            probe.input.push_back(sign * std::ldexp(size, exponent - static_cast<int>(k) % 4));
        }
    }
    for (std::size_t i = 0; i < width; ++i) {
        const double size = std::ldexp(static_cast<double>(6 + (5 * i + salt) % 9), -3);
        probe.gain.push_back(i % 4 == 2 ? -size : size);
    }
    return probe;
}

// Numbers without a pattern; the same ones everywhere.
class Numbers {
  public:
    explicit Numbers(std::size_t salt) : state_(salt) {}

    std::uint64_t below(std::uint64_t count) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return (state_ >> 33) % count;
    }

    // From 1 to below 2, with 20 bits.
    double of_all_bits() { return 1 + std::ldexp(static_cast<double>(below(1U << 20)), -20); }

    double sign() { return below(4) == 0 ? -1 : 1; }

  private:
    std::uint64_t state_;
};

enum class Filling { all_bits, exact_sum, large_element };
constexpr Filling fillings[] = {Filling::all_bits, Filling::exact_sum, Filling::all_bits,
                                Filling::large_element};

Probe of_mixed_rows(const Tensors& tensors, std::size_t rows, std::size_t width, const Sizes& sizes,
                    std::size_t salt) {
    Probe probe{rows, width, tensors.epsilon, {}, {}};
    Numbers numbers(salt * 64 + rows + width);
    const auto input = [&](double value) {
        probe.input.push_back(numeric::round_to(tensors.formats.input, value));
    };
    for (std::size_t k = 0; k < rows; ++k) {
        const int exponent = exponent_of(sizes[(k / 2 + salt) % sizes.size()]);
        const auto large = static_cast<std::size_t>(numbers.below(width));
        for (std::size_t i = 0; i < width; ++i) {
            const double one = std::ldexp(numbers.sign(), exponent);
            switch (fillings[(k + salt) % std::size(fillings)]) {
                case Filling::all_bits: input(one * numbers.of_all_bits()); break;
                case Filling::exact_sum:
                    input(one * static_cast<double>(1 + numbers.below(3)) / 2);
                    break;
                case Filling::large_element:
                    input(one * numbers.of_all_bits() * (i == large ? 1 : 0x1p-5));
            }
        }
    }
    for (std::size_t i = 0; i < width; ++i) {
        probe.gain.push_back(
            numeric::round_to(tensors.formats.gain, numbers.sign() * numbers.of_all_bits()));
    }
    return probe;
}

bool all_in(numeric::NumberFormat format, const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [&](double value) {
        return std::isfinite(value) && numeric::is_in(format, value);
    });
}

}  // namespace

std::vector<Probe> probe_inputs(const Tensors& tensors) {
    std::vector<Probe> probes;
    // Below epsilon itself, as a part of its root.
    const double least = tensors.epsilon > 0 ? std::sqrt(tensors.epsilon) / 4 : 0.25;
    const Sizes of_epsilon[] = {{1, least, 30, 0.1}, {1}, {0.1}, {30}, {1000}, {1, 0.3, 3, 0.7}};
    const double unit = root_of_epsilon(tensors);
    const Sizes mixed = {1, 2 * unit, 16, unit / 2, 0.125, 8 * unit};
    const auto add_few_bits = [&](std::size_t rows, std::size_t width) {
        for (std::size_t salt = 0; salt < 3; ++salt) {
            for (const Sizes& sizes : of_epsilon) {
                probes.push_back(of_few_bits(tensors, rows, width, sizes, salt));
            }
        }
    };
    const auto add_mixed = [&](std::size_t rows, std::size_t width) {
        for (std::size_t salt = 0; salt < 4; ++salt) {
            probes.push_back(of_mixed_rows(tensors, rows, width, mixed, salt));
        }
    };
    add_few_bits(2, 4);
    add_few_bits(4, 8);
    add_mixed(8, 3);
    add_mixed(12, 7);
    add_mixed(16, 29);
    add_few_bits(4, 33);
    add_few_bits(8, 64);
    add_mixed(16, 61);
    // A part of the features is lost at its own place.
    if (tensors.width > 1 && tensors.width <= 256) {
        probes.push_back(of_mixed_rows(tensors, 8, tensors.width, mixed, 0));
    }
    std::erase_if(probes, [&](const Probe& probe) {
        return !all_in(tensors.formats.input, probe.input) ||
               !all_in(tensors.formats.gain, probe.gain);
    });
    return probes;
}

}  // namespace rmsnorm::judge
