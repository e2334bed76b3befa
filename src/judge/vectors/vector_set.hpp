// Test vectors for whoever implements RMSNorm: inputs, what a right program may give, and the
// mistakes that each of them exposes.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "judge/vectors/outcomes.hpp"

namespace rmsnorm::judge::vectors {

/// The bits that every program of a recipe gives, whose source fixes the order of its sum.
struct FixedOutput {
    std::string recipe;
    std::vector<double> output;
};

struct TestVector {
    std::size_t id = 0;  // from 1, in the set's order
    bool border = false;
    TestCase test;
    Trial trial;
    std::vector<FixedOutput> recipes;

    /// Ids of the mistakes that it exposes, each once, in alphabetical order.
    std::vector<std::string> flags() const;
};

struct VectorSet {
    NumberFormat format = NumberFormat::binary32;
    Direction direction = Direction::forward;
    std::vector<TestVector> tests;

    /// Ids of all flags, each once, in alphabetical order.
    std::vector<std::string> flags() const;
};

/// How many tests at least expose a mistake that candidates can expose so often.
inline constexpr std::size_t exposures = 2;
inline constexpr std::size_t most_tests = 60;

/// The borders and, by greedy cover, the fewest candidates that expose every form of every mistake
/// as often as `exposures` or as they can, and tell it from every form of every other mistake where
/// they can. The same at every call.
VectorSet vector_set(NumberFormat format, Direction direction);

}  // namespace rmsnorm::judge::vectors
