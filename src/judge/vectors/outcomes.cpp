#include "judge/vectors/outcomes.hpp"

#include <cmath>

#include "numeric/decimal.hpp"

namespace rmsnorm::judge::vectors {

Mistake mistake_of(const Explanation& explanation) {
    Mistake mistake{explanation.id, explanation.detail, "output"};
    const auto add = [&](std::string_view words) {
        mistake.form.append(mistake.form.empty() ? "" : ", ").append(words);
    };
    if (explanation.dtype) add(numeric::full_name(*explanation.dtype));
    if (explanation.value && explanation.detail.empty()) add(numeric::shortest(*explanation.value));
    return mistake;
}

void note(Outcomes& outcomes, const Mistake& mistake, const Implementation& implementation) {
    const auto [fails, may_fail, gives] = implementation;
    Outcome& outcome = outcomes[mistake];
    outcome.exposed = outcome.exposed || fails;
    outcome.certain = outcome.certain && fails;
    outcome.possible = outcome.possible || fails || may_fail;
    outcome.gives = outcome.gives || gives;
}

void Accepted::add(double value, const numeric::Interval& range) {
    const auto positive_zero = [](double x) { return x == 0 ? 0.0 : x; };
    exact.push_back(positive_zero(value));
    low.push_back(positive_zero(range.low));
    high.push_back(positive_zero(range.high));
}

bool misses(const Accepted& accepted, std::size_t element, const numeric::Interval& range) {
    // A NaN is nowhere.
    return !(range.low <= accepted.high[element] && accepted.low[element] <= range.high);
}

bool exceeds(const Accepted& accepted, std::size_t element, const numeric::Interval& range) {
    return !(accepted.low[element] <= range.low && range.high <= accepted.high[element]);
}

bool holds(const numeric::Interval& range, double value) {
    const bool unknown = std::isnan(range.low) || (std::isinf(range.low) && std::isinf(range.high));
    return unknown || (range.low <= value && value <= range.high);
}

Trial trial_of(const TestCase& test, NumberFormat format, Direction direction, const Found* found) {
    return direction == Direction::forward ? forward_trial(test, format, found)
                                           : backward_trial(test, format, found);
}

}  // namespace rmsnorm::judge::vectors
