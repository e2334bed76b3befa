// Somebody's results against a set of test vectors.
#pragma once

#include <string>
#include <vector>

#include "judge/vectors/vector_set.hpp"

namespace rmsnorm::judge::vectors {

struct Result {
    std::size_t id = 0;
    Found tensors;
};

/// The first element of a tensor that is not accepted.
struct Failure {
    std::size_t id = 0;
    std::string tensor;
    bool missing = false;  // there is no result
    std::size_t element = 0;
    double found = 0;
    std::size_t wrong = 0;  // elements of the tensor that are not accepted
    std::size_t elements = 0;
};

/// What the results of a tensor of which some fail tell.
struct Diagnosis {
    std::string tensor;
    /// The mistakes of which an implementation may give all results of the tensor; where there is
    /// none, those of which one may fail the tests that failed, and pass the others.
    std::vector<Mistake> mistakes;
    bool gives = false;
    /// The flags that all failed tests have.
    std::vector<std::string> common_flags;
};

struct Checked {
    std::size_t tests = 0;   // that were to give a result
    std::size_t failed = 0;  // of these
    std::vector<Failure> failures;
    std::vector<Diagnosis> diagnoses;  // of each tensor with a wrong result
};

/// The tensors are those of the set's tests, each of their size.
Checked check(const VectorSet& set, const std::vector<Result>& results);

}  // namespace rmsnorm::judge::vectors
