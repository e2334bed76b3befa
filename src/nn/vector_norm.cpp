#include "nn/vector_norm.hpp"

namespace rmsnorm::nn {

void require_vector(const char* norm, std::size_t width, double epsilon) {
    if (!std::isfinite(epsilon) || epsilon < 0) {
        throw NormalizationError(norm, InvalidNormalizationEpsilon{epsilon});
    }
    if (width == 0) throw NormalizationError(norm, EmptyVector{});
}

void require_width(const char* norm, const char* vector, std::size_t width, std::size_t actual) {
    if (actual != width) throw NormalizationError(norm, VectorWidthMismatch{vector, width, actual});
}

void require_variance(const char* norm, double stabilized) {
    if (stabilized == 0) throw NormalizationError(norm, ZeroVariance{std::nullopt});
    if (!std::isfinite(stabilized)) {
        throw NormalizationError(norm, NonFiniteVariance{std::nullopt, stabilized});
    }
}

void require_mean_square(const char* norm, double stabilized) {
    if (stabilized == 0) throw NormalizationError(norm, ZeroMeanSquare{});
    if (!std::isfinite(stabilized)) throw NormalizationError(norm, NonFiniteMeanSquare{stabilized});
}

void require_finite(const char* norm, std::size_t feature, double value) {
    if (!std::isfinite(value)) throw NormalizationError(norm, NonFiniteResult{feature, value});
}

}  // namespace rmsnorm::nn
