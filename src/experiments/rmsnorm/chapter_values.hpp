// The values with which the chapter runs its experiments.
#pragma once

#include "evidence/layer_case.hpp"

namespace rmsnorm::experiments::chapter_values {

inline constexpr double epsilon = 1e-5;
inline constexpr double ideal_epsilon = 0.0;
inline constexpr double factor = 10.0;
inline constexpr double step = 1e-6;
inline constexpr double tolerance = 2e-6;
inline constexpr const char* gain_name = "decoder.block.0.attention_norm.gain";

tensor::Tensor input();       // [3, 4]
tensor::Tensor tiny_input();  // [0.0003, 0.0004]: its mean square is below epsilon
tensor::Tensor gain();        // [1.5, 0.5]
tensor::Tensor upstream();    // [1, -2]
tensor::Tensor rows();        // [[3, 4], [0, 5]]
tensor::Tensor anchor();      // [1, 3]
std::vector<tensor::Tensor> companions();

LayerCase layer_case();

}  // namespace rmsnorm::experiments::chapter_values
