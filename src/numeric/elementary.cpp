#include "numeric/elementary.hpp"

#include <cmath>

namespace rmsnorm::numeric {

double exp(double x) { return std::exp(x); }

double log(double x) { return std::log(x); }

}  // namespace rmsnorm::numeric
