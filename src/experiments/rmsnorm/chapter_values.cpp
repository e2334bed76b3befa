#include "experiments/rmsnorm/chapter_values.hpp"

namespace rmsnorm::experiments::chapter_values {

using tensor::Tensor;

Tensor input() { return Tensor::vector({3, 4}); }

Tensor tiny_input() { return Tensor::vector({0.0003, 0.0004}); }

Tensor gain() { return Tensor::vector({1.5, 0.5}); }

Tensor upstream() { return Tensor::vector({1, -2}); }

Tensor rows() { return Tensor({2, 2}, {3, 4, 0, 5}); }

Tensor anchor() { return Tensor::vector({1, 3}); }

// The second companion is the anchor itself, so that every batch deviation is zero.
std::vector<Tensor> companions() { return {Tensor::vector({5, 7}), anchor()}; }

LayerCase layer_case() { return {input(), gain(), upstream(), epsilon, gain_name}; }

}  // namespace rmsnorm::experiments::chapter_values
