#include "judge/vectors/vector_set.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "judge/recipe.hpp"

namespace rmsnorm::judge::vectors {
namespace {

// How often each mistake must still be exposed.
using Needs = std::map<Mistake, std::size_t>;

struct Candidate {
    TestCase test;
    Trial trial;
};

bool exposes(const Trial& trial, const Mistake& mistake) {
    const auto found = trial.outcomes.find(mistake);
    return found != trial.outcomes.end() && found->second.exposed;
}

std::size_t gain_of(const Trial& trial, const Needs& needs) {
    std::size_t count = 0;
    for (const auto& [mistake, need] : needs) count += need > 0 && exposes(trial, mistake) ? 1 : 0;
    return count;
}

void meet(const Trial& trial, Needs& needs) {
    for (auto& [mistake, need] : needs) {
        if (need > 0 && exposes(trial, mistake)) --need;
    }
}

Needs needs_of(const std::vector<Candidate>& candidates) {
    Needs needs;
    for (const Candidate& candidate : candidates) {
        for (const auto& [mistake, outcome] : candidate.trial.outcomes) {
            if (!outcome.exposed) continue;
            std::size_t& need = needs[mistake];
            need = std::min(need + 1, exposures);
        }
    }
    return needs;
}

// Of two that meet as many needs, the smaller one.
std::vector<std::size_t> cover(const std::vector<Candidate>& candidates, Needs needs) {
    std::vector<std::size_t> chosen;
    std::vector<bool> taken(candidates.size());
    for (;;) {
        std::size_t best = candidates.size();
        std::size_t most = 0;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (taken[i]) continue;
            const std::size_t met = gain_of(candidates[i].trial, needs);
            const bool smaller = best < candidates.size() && met == most &&
                                 candidates[i].test.elements() < candidates[best].test.elements();
            if (met > most || (met > 0 && smaller)) {
                best = i;
                most = met;
            }
        }
        if (most == 0) return chosen;
        taken[best] = true;
        chosen.push_back(best);
        meet(candidates[best].trial, needs);
    }
}

// Leaves out what later choices made needless.
void prune(const std::vector<Candidate>& candidates, const Needs& needs,
           std::vector<std::size_t>& chosen) {
    for (std::size_t i = chosen.size(); i-- > 0;) {
        Needs rest = needs;
        for (const std::size_t other : chosen) {
            if (other != chosen[i]) meet(candidates[other].trial, rest);
        }
        const bool needless =
            std::all_of(rest.begin(), rest.end(), [](const auto& one) { return one.second == 0; });
        if (needless) chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
    }
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

Trial trial_of(const TestCase& test, NumberFormat format, Direction direction, Depth depth) {
    return direction == Direction::forward ? forward_trial(test, format, depth)
                                           : backward_trial(test, format);
}

std::vector<Candidate> tried(std::vector<TestCase> tests, NumberFormat format,
                             Direction direction) {
    std::vector<Candidate> all;
    for (TestCase& test : tests) {
        Trial trial = trial_of(test, format, direction, Depth::exposed);
        all.push_back({std::move(test), std::move(trial)});
    }
    return all;
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
    std::vector<Candidate> at_borders = tried(borders(format, direction), format, direction);
    std::vector<Candidate> found = tried(candidates(format, direction), format, direction);
    std::erase_if(found, [](const Candidate& one) { return one.trial.accepted.empty(); });
    Needs needs = needs_of(found);
    for (const Candidate& border : at_borders) meet(border.trial, needs);
    std::vector<std::size_t> chosen = cover(found, needs);
    prune(found, needs, chosen);
    VectorSet set{format, direction, {}};
    const auto add = [&](Candidate& one, bool border) {
        TestVector made{
            set.tests.size() + 1, border, std::move(one.test), std::move(one.trial), {}};
        if (!made.test.refuse && direction == Direction::forward) {
            made.recipes = fixed_outputs(made.test, format);
        }
        set.tests.push_back(std::move(made));
    };
    for (Candidate& border : at_borders) add(border, true);
    for (const std::size_t index : chosen) add(found[index], false);
    return set;
}

}  // namespace rmsnorm::judge::vectors
