#include "numeric/summation.hpp"

#include <cstddef>

namespace rmsnorm::numeric {
namespace {

// Every second value.
double sum_lane(std::span<const double> values, std::size_t first) {
    double sum = 0;
    for (std::size_t i = first; i < values.size(); i += 2) sum += values[i];
    return sum;
}

}  // namespace

double sum_ascending(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

double sum_pairwise(std::span<const double> values) {
    if (values.empty()) return 0;
    if (values.size() == 1) return values[0];
    const std::size_t half = values.size() / 2;
    return sum_pairwise(values.first(half)) + sum_pairwise(values.subspan(half));
}

double sum_two_lanes(std::span<const double> values) {
    return sum_lane(values, 0) + sum_lane(values, 1);
}

}  // namespace rmsnorm::numeric
