#include "evidence/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rmsnorm::evidence {

Check at_most(std::string name, std::string statement, double measure, double bound) {
    return {std::move(name), std::move(statement), measure, bound, measure <= bound};
}

void Worst::consider(double measure, double bound) {
    // Documents hold finite numbers only.
    constexpr double most = std::numeric_limits<double>::max();
    if (!std::isfinite(measure)) measure = most;
    bound = std::isnan(bound) ? 0 : std::min(bound, most);
    const double part = measure == 0 ? 0 : measure / bound;
    if (part <= part_) return;
    measure_ = measure;
    bound_ = bound;
    part_ = part;
}

Check Worst::check(std::string name, std::string statement) const {
    return at_most(std::move(name), std::move(statement), measure_, bound_);
}

double worse(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

bool all_passed(const std::vector<Check>& checks) {
    return std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.passed; });
}

Array array(const std::vector<Check>& checks) {
    Array items;
    for (const Check& check : checks) {
        items.items.push_back(
            Record()
                .add("name", check.name)
                .add("statement", check.statement)
                .add("measure", Scalar{check.measure, difference_decimals(check.measure)})
                .add("bound", Scalar{check.bound, difference_decimals(check.bound)})
                .add("passed", decision(check)));
    }
    return items;
}

}  // namespace rmsnorm::evidence
