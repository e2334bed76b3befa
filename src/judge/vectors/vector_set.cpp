#include "judge/vectors/vector_set.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "judge/recipe.hpp"
#include "judge/vectors/cover.hpp"

namespace rmsnorm::judge::vectors {
namespace {

struct Candidate {
    TestCase test;
    Trial trial;
};

using Tests = std::vector<std::size_t>;

// Where a mistake is exposed and `other` is not.
Tests apart(const Tests& exposing, const Tests& other) {
    Tests found;
    std::set_difference(exposing.begin(), exposing.end(), other.begin(), other.end(),
                        std::back_inserter(found));
    return found;
}

// Each mistake is to be exposed, and to be told apart from every other one: by a test without the
// other one's flag, or where there is none by one that exposes no such form of it.
std::vector<Duty> duties_of(const std::vector<Candidate>& candidates) {
    std::map<Mistake, Tests> exposing;
    std::map<std::string, Tests> flagged;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        for (const auto& [mistake, outcome] : candidates[i].trial.outcomes) {
            if (!outcome.exposed) continue;
            exposing[mistake].push_back(i);
            Tests& tests = flagged[mistake.id];
            if (tests.empty() || tests.back() != i) tests.push_back(i);
        }
    }
    std::vector<Duty> duties;
    const auto add = [&](Tests tests, std::size_t need) {
        if (!tests.empty()) duties.push_back({std::move(tests), need});
    };
    for (const auto& [mistake, tests] : exposing) {
        add(tests, std::min(tests.size(), exposures));
        for (const auto& [flag, with] : flagged) {
            if (flag == mistake.id) continue;
            Tests without = apart(tests, with);
            auto other = without.empty() ? exposing.lower_bound({flag, "", ""}) : exposing.end();
            add(std::move(without), 1);
            for (; other != exposing.end() && other->first.id == flag; ++other) {
                add(apart(tests, other->second), 1);
            }
        }
    }
    return duties;
}

std::vector<FixedOutput> fixed_outputs(const TestCase& test, NumberFormat format) {
    std::vector<FixedOutput> fixed;
    for (const Recipe& recipe : recipes()) {
        if (!recipe.fixed_order || recipe.gain_offset != test.gain_offset) continue;
        FixedOutput made{std::string(recipe.id), std::vector<double>(test.elements())};
        for (std::size_t k = 0; k < test.rows; ++k) {
            const std::size_t first = k * test.width;
            compute_row(recipe.steps, {format, format, format}, test.epsilon, test.gain_offset,
                        std::span(test.input).subspan(first, test.width), test.gain,
                        std::span(made.output).subspan(first, test.width));
        }
        fixed.push_back(std::move(made));
    }
    return fixed;
}

}  // namespace

std::vector<std::string> TestVector::flags() const {
    std::set<std::string> ids;
    for (const auto& [mistake, outcome] : trial.outcomes) {
        if (outcome.exposed) ids.insert(mistake.id);
    }
    return {ids.begin(), ids.end()};
}

std::vector<std::string> VectorSet::flags() const {
    std::set<std::string> ids;
    for (const TestVector& test : tests) {
        for (std::string& flag : test.flags()) ids.insert(std::move(flag));
    }
    return {ids.begin(), ids.end()};
}

VectorSet vector_set(NumberFormat format, Direction direction) {
    std::vector<Candidate> all;
    const auto add = [&](std::vector<TestCase> tests, bool with_result) {
        for (TestCase& test : tests) {
            Trial trial = trial_of(test, format, direction);
            if (with_result && trial.accepted.empty()) continue;
            all.push_back({std::move(test), std::move(trial)});
        }
    };
    add(borders(format, direction), false);
    const std::size_t at_borders = all.size();
    add(candidates(format, direction), true);
    std::vector<std::size_t> sizes;
    for (const Candidate& one : all) sizes.push_back(one.test.elements());
    VectorSet set{format, direction, {}};
    for (const std::size_t index : cover(duties_of(all), sizes, at_borders, most_tests)) {
        TestVector made{set.tests.size() + 1,
                        index < at_borders,
                        std::move(all[index].test),
                        std::move(all[index].trial),
                        {}};
        if (!made.test.refuse && direction == Direction::forward) {
            made.recipes = fixed_outputs(made.test, format);
        }
        set.tests.push_back(std::move(made));
    }
    return set;
}

}  // namespace rmsnorm::judge::vectors
