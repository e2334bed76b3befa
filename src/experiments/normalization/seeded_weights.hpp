// Weights of dense layers that are the same bits on every machine.
#pragma once

#include <cstdint>
#include <random>

#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

/// The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998; std::mt19937, whose outputs the C++
/// standard fixes). A weight takes the upper 24 bits k of one output: `(k - 2^23) * 2^-23 *
/// spread`. The first two factors are exact in binary32, so the only rounding is that of the
/// product with a spread that is no power of two. Uniform over [-spread, spread), with a variance
/// of spread^2 / 3.
class SeededWeights {
  public:
    /// From the lower 32 bits of a seed.
    explicit SeededWeights(std::size_t seed) : generator_(static_cast<std::uint32_t>(seed)) {}

    float next(float spread);

    /// `rows * columns` weights, row by row.
    Vector matrix(std::size_t rows, std::size_t columns, float spread);

  private:
    std::mt19937 generator_;
};

/// The inputs `seed` and `spread` of an experiment on such weights.
Input seed_input(std::size_t& seed);
Input spread_input(float& spread);

/// `matrix * input`, with `input.size()` columns: products round to binary32, the sum of a row is
/// binary64 and rounds once.
Vector product(const Vector& matrix, const Vector& input);

}  // namespace rmsnorm::experiments::normalization
