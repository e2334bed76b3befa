#include "experiments/exhibit/claims.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/exhibit/comparison.hpp"
#include "numeric/bits.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::experiments {
namespace {

double largest_magnitude(const tensor::Tensor& tensor) {
    double largest = 0;
    for (const double value : tensor.values()) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace

Claim offset_claim(const BothNorms& plain, const BothNorms& shifted) {
    const double layer_change = largest_difference(plain.layer_norm, shifted.layer_norm);
    const double rms_change = largest_difference(plain.rms_norm, shifted.rms_norm);
    return {
        at_most("offset", "LayerNorm cancels an offset common to all features, RMSNorm shows it",
                rms_change == 0 ? 1 : layer_change / rms_change, 0),
        "largest change of LayerNorm's output over the largest change of RMSNorm's when 5 is "
        "added to every feature; the deviations from the mean are the same integers, so no "
        "bit may change"};
}

Claim scale_claim(const BothNorms& plain, const BothNorms& scaled, double mean_square,
                  double epsilon, double factor) {
    // Scaling by s turns epsilon into epsilon / s^2. With t the ratio of what stands under the two
    // roots, less one, the outputs' ratio is sqrt(1 + t) <= 1 + t / 2.
    const double relative_epsilon = epsilon / (factor * factor);
    const double t = (epsilon - relative_epsilon) / (mean_square + relative_epsilon);
    // A sum of n squares, n - 1 additions, and a division, an addition, a root and a division
    // more, of which what is under the root counts half: n + 3 roundings cover each output.
    const auto width = static_cast<double>(plain.rms_norm.size());
    const double rounding = 2 * (width + 3) * 0x1p-53;
    const double largest =
        std::max(largest_magnitude(plain.rms_norm), largest_magnitude(scaled.rms_norm));
    return {at_most("scale", "a positive factor leaves both norms as they are, but for epsilon",
                    std::max(largest_difference(plain.layer_norm, scaled.layer_norm),
                             largest_difference(plain.rms_norm, scaled.rms_norm)),
                    largest * (t / 2 + rounding)),
            "largest change of an output when every feature is multiplied by 10; epsilon weighs a "
            "hundredth then, which moves an output by no more than the bound"};
}

Claim zero_and_gain_claim(const tensor::Tensor& zero_output, const tensor::Tensor& plain,
                          const tensor::Tensor& gain, const tensor::Tensor& gained) {
    std::size_t count = 0;
    for (const double value : zero_output.values()) count += value == 0 ? 0 : 1;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        count += numeric::same_bits(gained[i], plain[i] * gain[i]) ? 0 : 1;
    }
    return {at_most("zero and gain",
                    "RMSNorm of zeros is zeros, and a gain multiplies the output, no more",
                    static_cast<double>(count), 0),
            "count of zero-input outputs that are not 0 and of gained outputs that are not the "
            "gain times the plain output in every bit"};
}

}  // namespace rmsnorm::experiments
