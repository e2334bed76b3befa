// The slow and obvious way from flat indices to coordinates and back, and random tensors: what the
// tensor operations are compared with.
#pragma once

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "tensor/tensor.hpp"

namespace rmsnorm::testing {

inline std::size_t naive_count(const tensor::Shape& shape) {
    std::size_t count = 1;
    for (const std::size_t axis : shape) count *= axis;
    return count;
}

inline std::vector<std::size_t> coordinates(std::size_t flat_index, const tensor::Shape& shape) {
    std::vector<std::size_t> result(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        result[axis] = flat_index % shape[axis];
        flat_index /= shape[axis];
    }
    return result;
}

inline std::size_t flat(const std::vector<std::size_t>& at, const tensor::Shape& shape) {
    std::size_t index = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) index = index * shape[axis] + at[axis];
    return index;
}

/// Which element of an operand of shape `operand` stands at `flat_index` of the larger `shape`.
inline std::size_t broadcast_source(std::size_t flat_index, const tensor::Shape& shape,
                                    const tensor::Shape& operand) {
    const std::vector<std::size_t> at = coordinates(flat_index, shape);
    std::vector<std::size_t> inside;
    for (std::size_t axis = 0; axis < operand.size(); ++axis) {
        const std::size_t place = at[shape.size() - operand.size() + axis];
        inside.push_back(operand[axis] == 1 ? 0 : place);
    }
    return flat(inside, operand);
}

/// From [-2, 2), a multiple of 2^-51: the same on every standard library.
inline double random_number(std::mt19937& generator) {
    const auto high = static_cast<double>(generator() >> 5);
    const auto low = static_cast<double>(generator() >> 6);
    return (high * 67108864 + low) / 9007199254740992 * 4 - 2;
}

inline tensor::Tensor random_tensor(std::mt19937& generator, tensor::Shape shape) {
    std::vector<double> values(naive_count(shape));
    for (double& value : values) value = random_number(generator);
    return tensor::Tensor(std::move(shape), std::move(values));
}

/// Two shapes that broadcast together, and the shape that they give.
struct BroadcastCase {
    tensor::Shape left;
    tensor::Shape right;
    tensor::Shape together;
};

inline std::vector<BroadcastCase> broadcast_cases() {
    return {
        {{}, {}, {}},
        {{}, {1}, {1}},
        {{}, {3}, {3}},
        {{3}, {3}, {3}},
        {{3}, {1}, {3}},
        {{2, 3}, {2, 3}, {2, 3}},
        {{2, 3}, {}, {2, 3}},
        {{2, 3}, {3}, {2, 3}},
        {{2, 3}, {1, 3}, {2, 3}},
        {{2, 3}, {2, 1}, {2, 3}},
        {{2, 1}, {1, 3}, {2, 3}},
        {{2, 1}, {3}, {2, 3}},
        {{4, 1, 3}, {2, 1}, {4, 2, 3}},
        {{4, 2, 3}, {4, 1, 1}, {4, 2, 3}},
        {{1, 2, 1, 2}, {3, 1, 3, 1}, {3, 2, 3, 2}},
        {{1, 1, 1}, {2}, {1, 1, 2}},
        {{0}, {0}, {0}},
        {{0}, {}, {0}},
        {{0}, {1}, {0}},
        {{0, 3}, {3}, {0, 3}},
        {{0, 3}, {1, 1}, {0, 3}},
        {{1, 3}, {0, 1}, {0, 3}},
        {{2, 0}, {2, 1}, {2, 0}},
        {{2, 0, 3}, {2, 1, 3}, {2, 0, 3}},
    };
}

inline std::vector<tensor::Shape> assorted_shapes() {
    return {{}, {1}, {3}, {0}, {2, 3}, {1, 1}, {0, 3}, {3, 0}, {2, 3, 4}, {2, 0, 3}, {0, 0}};
}

}  // namespace rmsnorm::testing
