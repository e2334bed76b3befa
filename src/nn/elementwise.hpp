// Sums and products of two vectors of one width, element by element: of real numbers, and of
// numbers that carry a bound of their rounding.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

namespace rmsnorm::nn {

/// a * b.
template <class Number>
std::vector<Number> products(const std::vector<Number>& a, const std::vector<Number>& b) {
    std::vector<Number> result;
    std::transform(a.begin(), a.end(), b.begin(), std::back_inserter(result), std::multiplies<>());
    return result;
}

/// a + b.
template <class Number>
std::vector<Number> sums(const std::vector<Number>& a, const std::vector<Number>& b) {
    std::vector<Number> result;
    std::transform(a.begin(), a.end(), b.begin(), std::back_inserter(result), std::plus<>());
    return result;
}

}  // namespace rmsnorm::nn
