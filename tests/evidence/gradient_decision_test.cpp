// What a comparison of gradients can decide by a step and a tolerance that were chosen.
#include "evidence/gradient_decision.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace rmsnorm;
using evidence::ComparedSlope;

namespace {

evidence::Check check_of(const ComparedSlope& slope) {
    return evidence::at_most("gradient", "it agrees", slope.distance, slope.admitted);
}

evidence::Check decided(const ComparedSlope& slope) {
    return evidence::decided(check_of(slope), {slope}, {true, slope.admitted, false});
}

bool undecided(const evidence::Check& check) {
    return check.statement.starts_with("this step cannot decide: noise ");
}

}  // namespace

TEST_CASE("a verdict holds where all of rounding and truncation passes, and little more") {
    // Of terms of 1 an error of 0.12 may pass, which is below an eighth.
    const evidence::Check right = decided({0.05, 0.01, 0.04, 0.07, 1});
    CHECK(right.passed);
    CHECK(right.statement == "it agrees");
}

TEST_CASE("an error beyond rounding, truncation and the tolerance is a wrong gradient") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const ComparedSlope& wrong :
         {ComparedSlope{0.3, 0.1, 0.1, 0.1, 1}, ComparedSlope{nan, 0.1, 0.1, 0.1, 1}}) {
        const evidence::Check check = decided(wrong);
        CHECK_FALSE(check.passed);
        CHECK(check.statement == "it agrees");
    }
}

TEST_CASE("a tolerance below rounding and truncation, or near the terms, cannot decide") {
    const evidence::Check strict = decided({0.05, 0.01, 0.04, 0.001, 1});
    CHECK_FALSE(strict.passed);
    CHECK(undecided(strict));
    CHECK(strict.statement.ends_with(
        "noise 0.01, truncation 0.04, tolerance 0.001, beside terms of 1.0"));
    const evidence::Check lax = decided({0, 0, 0, 0.126, 1});
    CHECK_FALSE(lax.passed);
    CHECK(undecided(lax));
    CHECK(lax.measure == 0.126);
    CHECK(lax.bound == 0.125);
    // As well where the gradient is wrong.
    CHECK(undecided(decided({0.5, 0, 0, 1, 1})));
    // A gradient of nothing has no wrong one beside it.
    CHECK(decided({0, 0, 0, 1, 0}).passed);
}

TEST_CASE("the component that admits the most beside its terms decides, and the choice is named") {
    const ComparedSlope fine{0, 0, 0, 0.01, 1};
    const ComparedSlope small{0, 0.5, 0, 0.01, 0.01};
    const auto statement = [&](bool step, bool tolerance) {
        return evidence::decided(check_of(fine), {fine, small, fine}, {step, 0.01, tolerance})
            .statement;
    };
    CHECK(statement(true, false).starts_with("this step cannot decide: noise 0.5"));
    CHECK(statement(false, true).starts_with("this tolerance cannot"));
    CHECK(statement(true, true).starts_with("this step and tolerance cannot"));
}
