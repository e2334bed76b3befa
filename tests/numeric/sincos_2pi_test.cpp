#include "numeric/sincos_2pi.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "numeric/bits.hpp"

namespace {

using namespace rmsnorm;
using numeric::sincos_2pi;
using numeric::steps_in_turn;

}  // namespace

TEST_CASE("sine and cosine are exact at quarter turns, and zero is positive") {
    struct Case {
        std::uint32_t quarters;
        double sine;
        double cosine;
    };
    for (const Case& turn : {Case{0, 0, 1}, Case{1, 1, 0}, Case{2, 0, -1}, Case{3, -1, 0}}) {
        const auto found = sincos_2pi(turn.quarters * (steps_in_turn / 4));
        CHECK(numeric::same_bits(found.sine, turn.sine));
        CHECK(numeric::same_bits(found.cosine, turn.cosine));
    }
}

TEST_CASE("sine and cosine squared add up to one on a whole turn") {
    // Each is off by less than 2^-51, so the sum of squares by at most 2 sqrt(2) 2^-51 and three
    // roundings of 2^-53.
    double largest = 0;
    for (std::uint32_t step = 0; step < steps_in_turn; step += 97) {
        const auto [sine, cosine] = sincos_2pi(step);
        largest = std::fmax(largest, std::fabs(sine * sine + cosine * cosine - 1));
    }
    CHECK(largest < 0x1p-49);
}

TEST_CASE("a step further than half a quarter takes the values from the next quarter") {
    constexpr std::uint32_t eighth = steps_in_turn / 8;
    for (std::uint32_t odd = 1; odd < 8; odd += 2) {
        for (std::uint32_t step = odd * eighth - 2; step <= odd * eighth + 2; ++step) {
            const auto here = sincos_2pi(step);
            const auto opposite = sincos_2pi((step + 4 * eighth) % steps_in_turn);
            CHECK(here.sine == -opposite.sine);
            CHECK(here.cosine == -opposite.cosine);
            // cos(pi/2 - a) = sin a; both are off by less than 2^-51.
            const auto mirrored = sincos_2pi((steps_in_turn + 2 * eighth - step) % steps_in_turn);
            CHECK(std::fabs(here.sine - mirrored.cosine) < 0x1p-50);
            CHECK(std::fabs(here.cosine - mirrored.sine) < 0x1p-50);
        }
    }
}
