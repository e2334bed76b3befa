#include "cli/self_test.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <vector>

#include "numeric/bits.hpp"
#include "report/digest.hpp"

using namespace rmsnorm;

namespace {

const cli::SelfTest& named(const std::vector<cli::SelfTest>& tests, const std::string& name) {
    const auto found = std::find_if(tests.begin(), tests.end(),
                                    [&](const cli::SelfTest& test) { return test.name == name; });
    REQUIRE(found != tests.end());
    return *found;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("this machine passes, and every golden in the tree is among what was tested") {
    const std::vector<cli::SelfTest> tests = cli::self_test();
    for (const cli::SelfTest& test : tests) {
        CAPTURE(test.name);
        CAPTURE(test.found);
        CHECK(test.passed);
        CHECK(test.meaning.empty());
    }
    for (const char* name :
         {"no-contraction", "hard-cases", "digest", "golden 25-rmsnorm/report.txt",
          "golden 25-rmsnorm/trace.txt", "golden 25-rmsnorm/report.json",
          "golden exhibit-rmsnorm/exhibit.json"}) {
        named(tests, name);
    }
}

#if defined(FE_UPWARD)
TEST_CASE("a process that rounds upward fails, and is told so first") {
    const int usual = std::fegetround();
    REQUIRE(std::fesetround(FE_UPWARD) == 0);
    const std::vector<cli::SelfTest> tests = cli::self_test();
    std::fesetround(usual);
    const cli::SelfTest& mode = named(tests, "rounding-mode");
    CHECK_FALSE(mode.passed);
    CHECK(contains(mode.meaning, "another rounding mode"));
    CHECK_FALSE(named(tests, "digest").passed);
    CHECK_FALSE(named(tests, "golden 25-rmsnorm/report.json").passed);
}
#endif

TEST_CASE("a violated assumption says what it means for the figures") {
    const cli::SelfTest test =
        cli::assumption_test({"flat-earth", "the earth is flat", "maps are wrong", false});
    CHECK(test.name == "flat-earth");
    CHECK(test.found == "does not hold: the earth is flat");
    CHECK(test.meaning == "maps are wrong");
    CHECK_FALSE(test.passed);
}

TEST_CASE("a hard case whose result is another is counted, and the first one is shown in bits") {
    std::vector<numeric::HardCase> cases(numeric::hard_cases().begin(),
                                         numeric::hard_cases().end());
    REQUIRE(cases.size() > 2);
    cases[1].result ^= 1U;
    cases[2].result ^= 1U;
    const cli::SelfTest test = cli::hard_case_test(cases);
    CHECK_FALSE(test.passed);
    CHECK(contains(test.found, "2 of " + std::to_string(cases.size()) + " differ"));
    CHECK(contains(test.found, numeric::hex(numeric::binary64(cases[1].argument))));
    CHECK(contains(test.found, "instead of " + numeric::hex(numeric::binary64(cases[1].result))));
    CHECK_FALSE(contains(test.found, numeric::hex(numeric::binary64(cases[2].argument))));
}

TEST_CASE("another digest is shown beside the known one") {
    const std::string known = report::random_case_digest(20);
    CHECK(cli::digest_test(20, known).passed);
    const cli::SelfTest more = cli::digest_test(21, known);
    CHECK_FALSE(more.passed);
    CHECK(contains(more.found, report::random_case_digest(21) + " instead of " + known));
    CHECK(contains(more.meaning, "other bits"));
}

TEST_CASE("a golden that differs in one byte is named with the command that shows the place") {
    // FIPS 180-4's example: SHA-256 of "abc".
    const char* hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    CHECK(cli::golden_test("25-rmsnorm/report.txt", "abc", hash).passed);
    const cli::SelfTest test = cli::golden_test("25-rmsnorm/report.txt", "abd", hash);
    CHECK_FALSE(test.passed);
    CHECK(test.name == "golden 25-rmsnorm/report.txt");
    CHECK(contains(test.meaning, "verify fixtures/25-rmsnorm/report.txt"));
    CHECK_FALSE(cli::golden_test("25-rmsnorm/report.txt", "abc", "").passed);
}
