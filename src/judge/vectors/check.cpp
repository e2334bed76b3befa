#include "judge/vectors/check.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace rmsnorm::judge::vectors {
namespace {

std::optional<Failure> failure_of(const TestVector& vector, const Result* result) {
    if (result == nullptr) return Failure{vector.id, "", 0, 0, 0, 0};
    for (const Accepted& accepted : vector.trial.accepted) {
        const auto found = result->tensors.find(accepted.tensor);
        if (found == result->tensors.end()) return Failure{vector.id, "", 0, 0, 0, 0};
        const std::vector<double>& values = found->second;
        std::optional<Failure> failure;
        for (std::size_t e = 0; e < values.size(); ++e) {
            if (!exceeds(accepted, e, {values[e], values[e]})) continue;
            if (!failure) {
                failure = Failure{vector.id, accepted.tensor, e, values[e], 0, values.size()};
            }
            ++failure->wrong;
        }
        if (failure) return failure;
    }
    return std::nullopt;
}

bool explains(const Mistake& mistake, const TestVector& vector, bool failed) {
    const auto found = vector.trial.outcomes.find(mistake);
    if (found == vector.trial.outcomes.end()) return !failed;
    return failed ? found->second.possible : !found->second.certain;
}

}  // namespace

Checked check(const VectorSet& set, const std::vector<Result>& results) {
    Checked checked;
    std::vector<const TestVector*> failed;
    std::vector<const TestVector*> passed;
    std::set<Mistake> mistakes;
    for (const TestVector& vector : set.tests) {
        if (vector.test.refuse) continue;
        ++checked.tests;
        const auto result = std::find_if(results.begin(), results.end(),
                                         [&](const Result& one) { return one.id == vector.id; });
        const auto failure = failure_of(vector, result == results.end() ? nullptr : &*result);
        if (failure) checked.failures.push_back(*failure);
        // A missing result tells of no mistake.
        if (failure && failure->tensor.empty()) continue;
        (failure ? failed : passed).push_back(&vector);
        for (const auto& [mistake, outcome] : vector.trial.outcomes) mistakes.insert(mistake);
    }
    if (failed.empty()) return checked;
    for (const Mistake& mistake : mistakes) {
        const auto all = [&](const std::vector<const TestVector*>& tests, bool fails) {
            return std::all_of(tests.begin(), tests.end(), [&](const TestVector* test) {
                return explains(mistake, *test, fails);
            });
        };
        if (all(failed, true) && all(passed, false)) checked.mistakes.push_back(mistake);
    }
    checked.common_flags = failed.front()->flags();
    for (const TestVector* test : failed) {
        const std::vector<std::string> flags = test->flags();
        std::erase_if(checked.common_flags, [&](const std::string& flag) {
            return !std::binary_search(flags.begin(), flags.end(), flag);
        });
    }
    return checked;
}

}  // namespace rmsnorm::judge::vectors
