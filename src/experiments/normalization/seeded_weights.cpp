#include "experiments/normalization/seeded_weights.hpp"

namespace rmsnorm::experiments::normalization {

float SeededWeights::next(float spread) {
    const auto upper = static_cast<std::int32_t>(generator_() >> 8);
    return static_cast<float>(upper - (1 << 23)) * 0x1p-23F * spread;
}

Vector SeededWeights::matrix(std::size_t rows, std::size_t columns, float spread) {
    Vector weights;
    weights.reserve(rows * columns);
    for (std::size_t i = 0; i < rows * columns; ++i) weights.push_back(next(spread));
    return weights;
}

Input seed_input(std::size_t& seed) {
    return {"seed", &seed, "of the Mersenne Twister that draws the weights"};
}

Input spread_input(float& spread) {
    return {"spread",
            &spread,
            "weights are uniform between plus and minus this",
            {.range = Range::positive, .decimals = {{4}}}};
}

Vector product(const Vector& matrix, const Vector& input) {
    const std::size_t columns = input.size();
    Vector output;
    for (std::size_t start = 0; start < matrix.size(); start += columns) {
        double sum = 0;
        for (std::size_t j = 0; j < columns; ++j) {
            const float term = matrix[start + j] * input[j];
            sum += static_cast<double>(term);
        }
        output.push_back(static_cast<float>(sum));
    }
    return output;
}

}  // namespace rmsnorm::experiments::normalization
