#include "judge/vectors/check.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace rmsnorm::judge::vectors {
namespace {

// A tensor's result on a test, and what each mistake does there.
struct Observation {
    const TestVector* test;
    bool failed;
    const Outcomes* outcomes;
};

std::optional<Failure> failure_of(std::size_t id, const Accepted& accepted, const Found& found) {
    Failure failure{id, accepted.tensor, true, 0, 0, 0, accepted.exact.size()};
    const auto one = found.find(accepted.tensor);
    if (one == found.end()) return failure;
    failure.missing = false;
    const std::vector<double>& values = one->second;
    for (std::size_t e = values.size(); e-- > 0;) {
        if (!exceeds(accepted, e, {values[e], values[e]})) continue;
        failure.element = e;
        failure.found = values[e];
        ++failure.wrong;
    }
    return failure.wrong > 0 ? std::optional(failure) : std::nullopt;
}

bool may_give(const Outcome& outcome, bool) { return outcome.gives; }
bool may_fail(const Outcome& outcome, bool failed) {
    return failed ? outcome.possible : !outcome.certain;
}

// The mistakes that fit all observations, among those that come into question where one failed. Of
// a test in which a mistake cannot be made, such as of the last row where there is one row, nothing
// is known.
std::vector<Mistake> fitting(const std::vector<Observation>& observations,
                             const std::string& tensor, bool (*fits)(const Outcome&, bool)) {
    std::set<Mistake> known;
    for (const Observation& one : observations) {
        for (const auto& [mistake, outcome] : *one.outcomes) {
            if (one.failed && mistake.tensor == tensor) known.insert(mistake);
        }
    }
    std::vector<Mistake> mistakes(known.begin(), known.end());
    std::erase_if(mistakes, [&](const Mistake& mistake) {
        return !std::all_of(observations.begin(), observations.end(), [&](const Observation& one) {
            const auto found = one.outcomes->find(mistake);
            return found == one.outcomes->end() || fits(found->second, one.failed);
        });
    });
    return mistakes;
}

std::vector<std::string> common_flags(const std::vector<Observation>& observations) {
    std::optional<std::vector<std::string>> common;
    for (const Observation& one : observations) {
        if (!one.failed) continue;
        const std::vector<std::string> flags = one.test->flags();
        if (!common) common = flags;
        std::erase_if(*common, [&](const std::string& flag) {
            return !std::binary_search(flags.begin(), flags.end(), flag);
        });
    }
    return common.value_or(std::vector<std::string>{});
}

std::optional<Diagnosis> diagnosis_of(const std::vector<Observation>& observations,
                                      const std::string& tensor) {
    const bool any = std::any_of(observations.begin(), observations.end(),
                                 [](const Observation& one) { return one.failed; });
    if (!any) return std::nullopt;
    Diagnosis diagnosis{tensor, fitting(observations, tensor, may_give), true,
                        common_flags(observations)};
    if (!diagnosis.mistakes.empty()) return diagnosis;
    diagnosis.gives = false;
    diagnosis.mistakes = fitting(observations, tensor, may_fail);
    return diagnosis;
}

}  // namespace

Checked check(const VectorSet& set, const std::vector<Result>& results) {
    Checked checked;
    std::map<std::string, std::vector<Observation>> observed;
    std::map<std::size_t, Outcomes> outcomes;
    for (const TestVector& test : set.tests) {
        if (test.test.refuse) continue;
        ++checked.tests;
        const auto result = std::find_if(results.begin(), results.end(),
                                         [&](const Result& one) { return one.id == test.id; });
        const Found found = result == results.end() ? Found{} : result->tensors;
        bool passed = true;
        for (const Accepted& accepted : test.trial.accepted) {
            const auto failure = failure_of(test.id, accepted, found);
            if (failure) checked.failures.push_back(*failure);
            passed = passed && !failure;
            // A missing result tells of no mistake.
            if (failure && failure->missing) continue;
            observed[accepted.tensor].push_back({&test, failure.has_value(), &outcomes[test.id]});
        }
        checked.failed += passed ? 0 : 1;
    }
    if (checked.failed == 0) return checked;
    for (const Result& one : results) {
        const auto at = outcomes.find(one.id);
        if (at == outcomes.end()) continue;
        at->second =
            trial_of(set.tests[one.id - 1].test, set.format, set.direction, &one.tensors).outcomes;
    }
    for (const auto& [tensor, observations] : observed) {
        if (auto diagnosis = diagnosis_of(observations, tensor)) {
            checked.diagnoses.push_back(std::move(*diagnosis));
        }
    }
    return checked;
}

}  // namespace rmsnorm::judge::vectors
