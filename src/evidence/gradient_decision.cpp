#include "evidence/gradient_decision.hpp"

#include <algorithm>
#include <limits>

#include "numeric/decimal.hpp"

namespace rmsnorm::evidence {
namespace {

// Documents hold finite numbers only.
double finite(double value) { return std::min(value, std::numeric_limits<double>::max()); }

std::string text(double value) { return numeric::shortest(finite(value), 2); }

// How far off a gradient may be that passes. A tolerance admits a distance from a difference that
// may be off itself.
double passing(const ComparedSlope& slope, const GradientChoice& choice) {
    return slope.admitted + (choice.tolerance ? slope.rounding + slope.truncation : 0);
}

// A gradient of nothing has no wrong one beside it.
bool admits_wrong(const ComparedSlope& slope, const GradientChoice& choice) {
    return slope.terms > 0 && passing(slope, choice) > decisive_part * slope.terms;
}

std::string name(const GradientChoice& choice) {
    if (choice.step == choice.own_tolerance) return "step and tolerance";
    return choice.step ? "step" : "tolerance";
}

}  // namespace

Decision decision(const ComparedSlope& slope, const GradientChoice& choice) {
    if (slope.passed) return decision(true, !admits_wrong(slope, choice));
    return decision(false, !(slope.distance <= slope.rounding + slope.truncation));
}

Check decided(Check check, const std::vector<ComparedSlope>& slopes, const GradientChoice& choice) {
    Decision all = Decision::holds;
    for (const ComparedSlope& slope : slopes) all = both(all, decision(slope, choice));
    if (all != Decision::undecided) return check;
    const auto part_of_terms = [&](const ComparedSlope& slope) {
        return slope.terms > 0 ? passing(slope, choice) / slope.terms : 0;
    };
    const ComparedSlope& loosest = *std::max_element(
        slopes.begin(), slopes.end(), [&](const ComparedSlope& a, const ComparedSlope& b) {
            return part_of_terms(a) < part_of_terms(b);
        });
    check.statement = "this " + name(choice) + " cannot decide: noise " + text(loosest.rounding) +
                      ", truncation " + text(loosest.truncation) +
                      (choice.tolerance ? ", tolerance " + text(*choice.tolerance) : "") +
                      ", beside terms of " + text(loosest.terms);
    check.passed = false;
    check.decided = false;
    if (admits_wrong(loosest, choice)) {
        check.measure = finite(passing(loosest, choice));
        check.bound = decisive_part * loosest.terms;
    }
    return check;
}

}  // namespace rmsnorm::evidence
