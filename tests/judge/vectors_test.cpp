#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "judge/vectors/cover.hpp"
#include "judge/vectors/vector_set.hpp"

namespace rmsnorm::judge::vectors {
namespace {

using Indices = std::vector<std::size_t>;

// What tests show, by places in a list of mistakes and one of flags.
struct Shown {
    std::vector<std::vector<bool>> exposed;  // [test][mistake]
    std::vector<std::vector<bool>> flagged;  // [test][flag]
};

struct Names {
    std::vector<Mistake> mistakes;
    std::vector<std::string> flags;
    Indices flag_of;  // each mistake's
};

Names names_in(const std::vector<Trial>& trials) {
    std::set<Mistake> mistakes;
    std::set<std::string> flags;
    for (const Trial& trial : trials) {
        for (const auto& [mistake, outcome] : trial.outcomes) {
            if (!outcome.exposed) continue;
            mistakes.insert(mistake);
            flags.insert(mistake.id);
        }
    }
    Names names{{mistakes.begin(), mistakes.end()}, {flags.begin(), flags.end()}, {}};
    for (const Mistake& mistake : names.mistakes) {
        const auto at = std::find(names.flags.begin(), names.flags.end(), mistake.id);
        names.flag_of.push_back(static_cast<std::size_t>(at - names.flags.begin()));
    }
    return names;
}

Shown shown_by(const std::vector<Trial>& trials, const Names& names) {
    Shown shown;
    for (const Trial& trial : trials) {
        std::vector<bool> exposed;
        std::vector<bool> flagged(names.flags.size());
        for (std::size_t m = 0; m < names.mistakes.size(); ++m) {
            const auto found = trial.outcomes.find(names.mistakes[m]);
            exposed.push_back(found != trial.outcomes.end() && found->second.exposed);
            if (exposed.back()) flagged[names.flag_of[m]] = true;
        }
        shown.exposed.push_back(std::move(exposed));
        shown.flagged.push_back(std::move(flagged));
    }
    return shown;
}

// How many tests expose each mistake, do so without each flag, and without each other mistake.
struct Counts {
    Indices exposing;
    std::vector<Indices> without_flag;
    std::vector<Indices> without_mistake;
};

Counts counted(const Shown& shown, const Names& names) {
    const std::size_t mistakes = names.mistakes.size();
    Counts counts{Indices(mistakes), std::vector<Indices>(mistakes, Indices(names.flags.size())),
                  std::vector<Indices>(mistakes, Indices(mistakes))};
    for (std::size_t t = 0; t < shown.exposed.size(); ++t) {
        for (std::size_t m = 0; m < mistakes; ++m) {
            if (!shown.exposed[t][m]) continue;
            ++counts.exposing[m];
            for (std::size_t f = 0; f < names.flags.size(); ++f) {
                counts.without_flag[m][f] += shown.flagged[t][f] ? 0 : 1;
            }
            for (std::size_t o = 0; o < mistakes; ++o) {
                counts.without_mistake[m][o] += shown.exposed[t][o] ? 0 : 1;
            }
        }
    }
    return counts;
}

// Whether a set without this test exposes a mistake less often than asked for, or no longer tells
// one from another.
bool is_needed(std::size_t test, const Shown& shown, const Names& names, const Counts& counts) {
    for (std::size_t m = 0; m < names.mistakes.size(); ++m) {
        if (!shown.exposed[test][m]) continue;
        if (counts.exposing[m] <= 2) return true;
        for (std::size_t f = 0; f < names.flags.size(); ++f) {
            if (counts.without_flag[m][f] == 1 && !shown.flagged[test][f]) return true;
        }
        for (std::size_t o = 0; o < names.mistakes.size(); ++o) {
            const bool told_by_flags = counts.without_flag[m][names.flag_of[o]] > 0;
            if (names.flag_of[o] == names.flag_of[m] || told_by_flags) continue;
            if (counts.without_mistake[m][o] == 1 && !shown.exposed[test][o]) return true;
        }
    }
    return false;
}

void check_set(NumberFormat format, Direction direction) {
    const VectorSet set = vector_set(format, direction);
    std::vector<Trial> chosen;
    for (const TestVector& one : set.tests) chosen.push_back(one.trial);
    std::vector<Trial> all;
    for (const auto& tests : {borders(format, direction), candidates(format, direction)}) {
        for (const TestCase& test : tests) all.push_back(trial_of(test, format, direction));
    }
    const Names names = names_in(all);
    const Shown shown = shown_by(chosen, names);
    const Counts counts = counted(shown, names);
    const Counts possible = counted(shown_by(all, names), names);
    CHECK(set.tests.size() <= 60);
    for (std::size_t m = 0; m < names.mistakes.size(); ++m) {
        CAPTURE(names.mistakes[m].id);
        CHECK(counts.exposing[m] >= std::min<std::size_t>(possible.exposing[m], 2));
        for (std::size_t f = 0; f < names.flags.size(); ++f) {
            if (f == names.flag_of[m]) continue;
            CHECK((counts.without_flag[m][f] > 0) == (possible.without_flag[m][f] > 0));
        }
        for (std::size_t o = 0; o < names.mistakes.size(); ++o) {
            if (names.flag_of[o] == names.flag_of[m]) continue;
            CHECK((counts.without_mistake[m][o] > 0) == (possible.without_mistake[m][o] > 0));
        }
    }
    for (std::size_t t = 0; t < set.tests.size(); ++t) {
        CAPTURE(set.tests[t].id);
        CHECK(set.tests[t].id == t + 1);
        if (!set.tests[t].border) CHECK(is_needed(t, shown, names, counts));
    }
}

}  // namespace

TEST_CASE("a cover is the fewest tests that meet all duties, where greed finds them") {
    // Tests 1 and 3 meet all six duties; 2 is as good as 3 but larger.
    const std::vector<Duty> duties = {{{0, 1}}, {{1}}, {{1}}, {{2, 3}}, {{2, 3}}, {{0, 2, 3}}};
    CHECK(cover(duties, {1, 1, 9, 1}, 0, 60) == Indices{1, 3});
}

TEST_CASE("a cover keeps what is given, and chooses no test for what that meets") {
    CHECK(cover({{{0, 1}}, {{2, 3}}}, {1, 1, 2, 1}, 2, 60) == Indices{0, 1, 3});
    CHECK(cover({{{0, 1}}}, {1, 1}, 1, 60) == Indices{0});
}

TEST_CASE("a duty that needs two tests has two where there are two") {
    CHECK(cover({{{0, 1, 2}, 2}}, {1, 1, 1}, 0, 60) == Indices{0, 1});
    CHECK(cover({{{0}, 2}}, {1}, 0, 60) == Indices{0});
}

TEST_CASE("a cover leaves out what later choices made needless, and stops at the most") {
    // Greed takes 0 for four duties of six, then 1 and 2 for one each; these meet all.
    const std::vector<Duty> duties = {{{0, 1}}, {{0, 1}}, {{0, 2}}, {{0, 2}}, {{1}}, {{2}}};
    CHECK(cover(duties, {1, 1, 1}, 0, 60) == Indices{1, 2});
    CHECK(cover(duties, {1, 1, 1}, 0, 1) == Indices{0});
}

TEST_CASE("a set exposes and tells apart all that its candidates can, and no test is needless") {
    check_set(NumberFormat::bfloat16, Direction::forward);
    check_set(NumberFormat::binary32, Direction::backward);
}

TEST_CASE("a range of possible values holds what lies in it, and a NaN where nothing is known") {
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(holds({-1, 2}, 2));
    CHECK(holds({0, 0}, -0.0));
    CHECK_FALSE(holds({-1, 2}, 2.5));
    CHECK_FALSE(holds({-1, 2}, nan));
    CHECK_FALSE(holds({-1, infinity}, nan));
    CHECK(holds({-1, infinity}, infinity));
    CHECK(holds({-infinity, infinity}, nan));
    CHECK(holds({nan, nan}, nan));
}

}  // namespace rmsnorm::judge::vectors
