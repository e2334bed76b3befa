#include "experiments/exhibit/seeded_forward.hpp"

#include <span>
#include <vector>

#include "nn/normalization.hpp"
#include "numeric/seeded_normals.hpp"

namespace rmsnorm::experiments {
namespace {

constexpr std::size_t tokens = 4;
constexpr std::size_t features = 8;

tensor::Tensor widened(tensor::Shape shape, const std::vector<float>& values) {
    return tensor::Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()));
}

}  // namespace

SeededForward seeded_forward(std::uint32_t seed, double epsilon) {
    const auto epsilon32 = static_cast<float>(epsilon);
    const std::vector<float> input = numeric::seeded_normals(seed, tokens * features / 16);
    std::vector<float> layer_norm;
    std::vector<float> rms_norm;
    for (std::size_t token = 0; token < tokens; ++token) {
        const std::span<const float> row(input.data() + token * features, features);
        const std::vector<float> centered = nn::layer_norm(row, epsilon32);
        const std::vector<float> rescaled = nn::rms_norm(row, epsilon32);
        layer_norm.insert(layer_norm.end(), centered.begin(), centered.end());
        rms_norm.insert(rms_norm.end(), rescaled.begin(), rescaled.end());
    }
    std::vector<float> output = layer_norm;
    output.insert(output.end(), rms_norm.begin(), rms_norm.end());
    return {seed, widened({1, tokens, features}, input), widened({2, 1, tokens, features}, output)};
}

}  // namespace rmsnorm::experiments
