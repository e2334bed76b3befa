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

std::string name(const GradientChoice& choice) {
    if (choice.step == choice.own_tolerance) return "step and tolerance";
    return choice.step ? "step" : "tolerance";
}

}  // namespace

Check decided(Check check, const std::vector<ComparedSlope>& slopes, const GradientChoice& choice) {
    const bool all_explained = std::all_of(slopes.begin(), slopes.end(), [](const auto& slope) {
        return slope.distance <= slope.rounding + slope.truncation;
    });
    if (slopes.empty() || !(check.passed || all_explained)) return check;
    const auto part_of_terms = [&](const ComparedSlope& slope) {
        return passing(slope, choice) / (slope.terms > 0 ? slope.terms : 1);
    };
    const ComparedSlope& loosest = *std::max_element(
        slopes.begin(), slopes.end(), [&](const ComparedSlope& a, const ComparedSlope& b) {
            return part_of_terms(a) < part_of_terms(b);
        });
    const double most = passing(loosest, choice);
    const bool admits_wrong = loosest.terms > 0 && most > decisive_part * loosest.terms;
    if (!admits_wrong && check.passed) return check;
    check.statement = "this " + name(choice) + " cannot decide: noise " + text(loosest.rounding) +
                      ", truncation " + text(loosest.truncation) +
                      (choice.tolerance ? ", tolerance " + text(*choice.tolerance) : "") +
                      ", beside terms of " + text(loosest.terms);
    check.passed = false;
    if (admits_wrong) {
        check.measure = finite(most);
        check.bound = decisive_part * loosest.terms;
    }
    return check;
}

}  // namespace rmsnorm::evidence
