#include "experiments/normalization/gradients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evidence/check.hpp"
#include "numeric/ulp.hpp"

namespace rmsnorm::experiments::normalization {

std::uint64_t largest_ulp(std::span<const double> a, std::span<const double> b) {
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, numeric::ulp_distance(a[i], b[i]));
    }
    return largest;
}

double largest_error(std::span<const double> a, std::span<const double> b,
                     std::span<const double> magnitude, double unit) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::fabs(a[i] - b[i]);
        const double error = difference == 0     ? 0
                             : magnitude[i] == 0 ? std::numeric_limits<double>::infinity()
                                                 : difference / (unit * magnitude[i]);
        largest = worse(largest, error);
    }
    return largest;
}

}  // namespace rmsnorm::experiments::normalization
