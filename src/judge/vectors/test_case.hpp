// Inputs of test vectors: those at the borders of what a layer must bear, and the ones that a
// search chooses from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "judge/rows.hpp"

namespace rmsnorm::judge::vectors {

enum class Direction { forward, backward };
inline constexpr Direction directions[] = {Direction::forward, Direction::backward};

std::string_view name(Direction direction);

/// Numbers of one format: input and, backward, upstream of [rows, width], a gain of [width].
struct TestCase {
    std::string comment;
    std::size_t rows = 0;
    std::size_t width = 0;
    double epsilon = 0;
    double gain_offset = 0;
    std::vector<double> input;
    std::vector<double> gain;
    std::vector<double> upstream;
    bool refuse = false;  // there is no result that every right program gives

    std::size_t elements() const { return rows * width; }
};

/// The same ones at every call.
std::vector<TestCase> borders(NumberFormat format, Direction direction);
std::vector<TestCase> candidates(NumberFormat format, Direction direction);

}  // namespace rmsnorm::judge::vectors
