#include "numeric/seeded_normals.hpp"

#include <array>
#include <cmath>
#include <random>

#include "numeric/elementary.hpp"
#include "numeric/sincos_2pi.hpp"

namespace rmsnorm::numeric {

std::vector<float> seeded_normals(std::uint32_t seed, std::size_t blocks) {
    constexpr std::size_t half = 8;
    std::mt19937 generator(seed);  // the standard fixes its outputs
    std::vector<float> normals;
    normals.reserve(2 * half * blocks);
    for (std::size_t block = 0; block < blocks; ++block) {
        std::array<std::uint32_t, 2 * half> steps{};
        for (std::uint32_t& step : steps) {
            step = static_cast<std::uint32_t>(generator() % steps_in_turn);
        }
        std::array<float, 2 * half> results{};
        for (std::size_t j = 0; j < half; ++j) {
            // Exact, and never zero, which has no logarithm.
            const double u1 = static_cast<double>(steps_in_turn - steps[j]) / steps_in_turn;
            const double radius = std::sqrt(-2 * log(u1));
            const SineCosine angle = sincos_2pi(steps[j + half]);
            results[j] = static_cast<float>(radius * angle.cosine);
            results[j + half] = static_cast<float>(radius * angle.sine);
        }
        normals.insert(normals.end(), results.begin(), results.end());
    }
    return normals;
}

}  // namespace rmsnorm::numeric
