// Somebody's results against a set of test vectors.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "judge/vectors/vector_set.hpp"

namespace rmsnorm::judge::vectors {

/// The tensors that a program gave for a test, by their names.
struct Result {
    std::size_t id = 0;
    std::map<std::string, std::vector<double>> tensors;
};

/// The first element of a test that is not accepted.
struct Failure {
    std::size_t id = 0;
    std::string tensor;  // empty: there is no result
    std::size_t element = 0;
    double found = 0;
    std::size_t wrong = 0;  // elements of the tensor that are not accepted
    std::size_t elements = 0;
};

struct Checked {
    std::size_t tests = 0;  // that were to give a result
    std::vector<Failure> failures;
    /// The mistakes of which an implementation may fail the tests that failed, and pass the others.
    std::vector<Mistake> mistakes;
    /// The flags that all failed tests have.
    std::vector<std::string> common_flags;
};

/// The tensors are those of the set's tests, each of their size.
Checked check(const VectorSet& set, const std::vector<Result>& results);

}  // namespace rmsnorm::judge::vectors
