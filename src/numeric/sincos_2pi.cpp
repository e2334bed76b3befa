#include "numeric/sincos_2pi.hpp"

#include <array>
#include <cstddef>

#include "numeric/tables/turn_table.hpp"

namespace rmsnorm::numeric {
namespace {

double polynomial(const std::array<double, 10>& coefficients, double x) {
    double value = coefficients.back();
    for (std::size_t place = coefficients.size() - 1; place > 0; --place) {
        value = value * x + coefficients[place - 1];
    }
    return value;
}

}  // namespace

SineCosine sincos_2pi(std::uint32_t step) {
    // The nearest quarter turn and the rest, at most an eighth of a turn to either side; exact.
    constexpr std::uint32_t quarter = steps_in_turn / 4;
    const std::uint32_t quarters = (step + quarter / 2) / quarter;
    const double turns = (static_cast<double>(step) - quarters * double{quarter}) * 0x1p-24;

    const double square = turns * turns;
    const double sine = turns * polynomial(tables::turn_sine_series, square);
    const double cosine = polynomial(tables::turn_cosine_series, square);
    switch (quarters % 4) {
        case 0: return {sine, cosine};
        case 1: return {cosine, 0 - sine};
        case 2: return {0 - sine, 0 - cosine};
        default: return {0 - cosine, sine};
    }
}

}  // namespace rmsnorm::numeric
