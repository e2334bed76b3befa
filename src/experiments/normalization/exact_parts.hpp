// What the exact results of fixture 23's experiments share: binary32 numbers as reals, and as
// numbers that carry their rounding.
#pragma once

#include <span>
#include <vector>

#include "evidence/certificate.hpp"
#include "experiments/normalization/vectors.hpp"
#include "nn/real_norms.hpp"
#include "nn/rounded_norms.hpp"
#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization::exact_parts {

using evidence::ExactFigures;
using nn::Reals;
using nn::Rounded32;
using nn::Rounded64;
using numeric::Enclosure;
using Row32 = std::vector<Rounded32>;
using Row64 = std::vector<Rounded64>;

inline Enclosure real(float value, int bits) { return {static_cast<double>(value), bits}; }
inline Rounded32 number(float value) { return Rounded32(static_cast<double>(value)); }
inline Reals reals(const Vector& values, int bits) {
    return numeric::enclosures(std::span<const float>(values), bits);
}
inline Row32 exact_row(const Vector& values) {
    return numeric::as_rounded(std::span<const float>(values));
}

/// The norms of fixture 23 with gains of ones.
inline nn::LayerNormPass<Rounded32> plain_layer_norm(const Row32& input, float epsilon) {
    return nn::layer_norm<Rounded64, Rounded32>(input, number(epsilon));
}
inline nn::RmsNormPass<Rounded32> plain_rms_norm(const Row32& input, float epsilon) {
    return nn::rms_norm<Rounded64, Rounded32>(input, number(epsilon));
}

}  // namespace rmsnorm::experiments::normalization::exact_parts
