#include "numeric/ulp.hpp"

#include "numeric/bits.hpp"

namespace rmsnorm::numeric {
namespace {

// The place of a number on the line of representable numbers: patterns of negative numbers run
// downwards from zero, those of positive ones upwards.
std::int64_t place(double value) {
    const auto magnitude = static_cast<std::int64_t>(bits(value) & 0x7fffffffffffffffU);
    return bits(value) >> 63 != 0 ? -magnitude : magnitude;
}

std::int64_t place(float value) {
    const auto magnitude = static_cast<std::int64_t>(bits(value) & 0x7fffffffU);
    return bits(value) >> 31 != 0 ? -magnitude : magnitude;
}

}  // namespace

std::uint64_t ulp_distance(double a, double b) {
    const auto from = static_cast<std::uint64_t>(place(a));
    const auto to = static_cast<std::uint64_t>(place(b));
    return place(a) < place(b) ? to - from : from - to;
}

std::uint32_t ulp_distance(float a, float b) {
    const std::int64_t distance = place(a) - place(b);
    return static_cast<std::uint32_t>(distance < 0 ? -distance : distance);
}

}  // namespace rmsnorm::numeric
