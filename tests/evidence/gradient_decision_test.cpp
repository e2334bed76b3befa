// What a comparison of gradients can decide by a step and a tolerance that were chosen.
#include "evidence/gradient_decision.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

using namespace rmsnorm;
using evidence::ComparedSlope;
using evidence::Decision;

namespace {

// As a comparison without units passes it.
ComparedSlope slope(double distance, double rounding, double truncation, double admitted,
                    double terms) {
    return {distance, rounding, truncation, admitted, terms, distance <= admitted};
}

evidence::Check check_of(const ComparedSlope& slope) {
    return evidence::at_most("gradient", "it agrees", slope.distance, slope.admitted);
}

evidence::Check decided(const ComparedSlope& slope) {
    const evidence::GradientChoice choice{true, slope.admitted, false};
    evidence::Check check = evidence::decided(check_of(slope), {slope}, choice);
    // One component is all that the check is of.
    CHECK(decision(check) == evidence::decision(slope, choice));
    return check;
}

bool undecided(const evidence::Check& check) {
    CHECK(check.decided != check.statement.starts_with("this step cannot decide: noise "));
    return !check.decided && !check.passed;
}

}  // namespace

TEST_CASE("a verdict holds where all of rounding and truncation passes, and little more") {
    // Of terms of 1 an error of 0.12 may pass, which is below an eighth.
    const evidence::Check right = decided(slope(0.05, 0.01, 0.04, 0.07, 1));
    CHECK(decision(right) == Decision::holds);
    CHECK(right.statement == "it agrees");
}

TEST_CASE("an error beyond rounding, truncation and the tolerance is a wrong gradient") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const ComparedSlope& wrong :
         {slope(0.3, 0.1, 0.1, 0.1, 1), slope(nan, 0.1, 0.1, 0.1, 1)}) {
        const evidence::Check check = decided(wrong);
        CHECK(decision(check) == Decision::fails);
        CHECK(check.statement == "it agrees");
    }
}

TEST_CASE("a tolerance below rounding and truncation, or near the terms, cannot decide") {
    const evidence::Check strict = decided(slope(0.05, 0.01, 0.04, 0.001, 1));
    CHECK(undecided(strict));
    CHECK(strict.statement.ends_with(
        "noise 0.01, truncation 0.04, tolerance 0.001, beside terms of 1.0"));
    const evidence::Check lax = decided(slope(0, 0, 0, 0.126, 1));
    CHECK(undecided(lax));
    CHECK(lax.measure == 0.126);
    CHECK(lax.bound == 0.125);
    // As well where the gradient is wrong.
    CHECK(undecided(decided(slope(0.5, 0, 0, 1, 1))));
    // A gradient of nothing has no wrong one beside it.
    CHECK(decided(slope(0, 0, 0, 1, 0)).passed);
}

TEST_CASE("the component that admits the most beside its terms decides, and the choice is named") {
    const ComparedSlope fine = slope(0, 0, 0, 0.01, 1);
    const ComparedSlope small = slope(0, 0.5, 0, 0.01, 0.01);
    const auto statement = [&](bool step, bool tolerance) {
        return evidence::decided(check_of(fine), {fine, small, fine}, {step, 0.01, tolerance})
            .statement;
    };
    CHECK(statement(true, false).starts_with("this step cannot decide: noise 0.5"));
    CHECK(statement(false, true).starts_with("this tolerance cannot"));
    CHECK(statement(true, true).starts_with("this step and tolerance cannot"));
}

TEST_CASE(
    "of several components a wrong one fails the check, and else an undecided one leaves it open") {
    const ComparedSlope right = slope(0, 0, 0, 0.01, 1);
    const ComparedSlope open = slope(0, 0, 0, 0.2, 1);
    const ComparedSlope wrong = slope(0.3, 0.1, 0.1, 0.1, 1);
    // What is made of nothing admits nothing wrong, however large the tolerance is beside it.
    const ComparedSlope nothing = slope(0, 0, 0, 0.2, 0);
    const auto together = [](const std::vector<ComparedSlope>& slopes) {
        const bool passed = std::ranges::all_of(slopes, &ComparedSlope::passed);
        return decision(
            evidence::decided({"gradient", "it agrees", 0, 0, passed}, slopes, {true, {}, false}));
    };
    CHECK(together({right, nothing, right}) == Decision::holds);
    CHECK(together({right, open, nothing}) == Decision::undecided);
    CHECK(together({nothing, open}) == Decision::undecided);
    CHECK(together({open, wrong, right}) == Decision::fails);
    CHECK(together({}) == Decision::holds);
}
