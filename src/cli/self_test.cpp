#include "cli/self_test.hpp"

#include "cli/fixtures.hpp"
#include "cli/golden_hashes.hpp"
#include "numeric/assumptions.hpp"
#include "numeric/bits.hpp"
#include "numeric/elementary.hpp"
#include "numeric/hard_cases.hpp"
#include "report/digest.hpp"
#include "report/sha256.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t digest_cases = 10000;
// What every target of the README's table computes.
constexpr const char* known_digest =
    "029eb8858a367ac576a429cd138d12f705c10caed721216bd12b5a3fc728203c";

void add_goldens(std::vector<SelfTest>& tests);

}  // namespace

std::vector<SelfTest> self_test() {
    std::vector<SelfTest> tests;
    for (const numeric::Assumption& assumption : numeric::arithmetic_assumptions()) {
        tests.push_back(assumption_test(assumption));
    }
    tests.push_back(hard_case_test(numeric::hard_cases()));
    tests.push_back(digest_test(digest_cases, known_digest));
    add_goldens(tests);
    return tests;
}

std::vector<SelfTest> certify_tests() {
    std::vector<SelfTest> tests;
    for (const Fixture& fixture : fixtures()) {
        const FixtureReport report = fixture.render(Format::text, true);
        const bool passed = evidence::all_passed(report.checks);
        tests.push_back({"certify " + std::string(fixture.id),
                         evidence::summary(*report.certification),
                         passed ? ""
                                : "a figure is farther from its exact result than rounding "
                                  "explains; see: rmsnorm-fixture report --certify",
                         passed});
    }
    return tests;
}

SelfTest assumption_test(const numeric::Assumption& assumption) {
    if (assumption.holds) return {assumption.name, assumption.statement, "", true};
    return {assumption.name, std::string("does not hold: ") + assumption.statement,
            assumption.otherwise, false};
}

SelfTest hard_case_test(std::span<const numeric::HardCase> hard_cases) {
    std::size_t wrong = 0;
    std::string first;
    for (const numeric::HardCase& hard : hard_cases) {
        const double argument = numeric::binary64(hard.argument);
        const bool is_exp = hard.function == numeric::Elementary::exp;
        const double result = is_exp ? numeric::exp(argument) : numeric::log(argument);
        if (numeric::bits(result) == hard.result) continue;
        if (wrong++ == 0) {
            first = std::string(is_exp ? "exp" : "log") + " of bits " + numeric::hex(argument) +
                    " is " + numeric::hex(result) + " instead of " +
                    numeric::hex(numeric::binary64(hard.result));
        }
    }
    const std::string count = std::to_string(hard_cases.size());
    if (wrong == 0) return {"hard-cases", "all " + count + " are correctly rounded", "", true};
    return {"hard-cases", std::to_string(wrong) + " of " + count + " differ; the first: " + first,
            "exp or log is not correctly rounded here, so any figure may be off by a bit", false};
}

SelfTest digest_test(std::size_t count, std::string_view known) {
    const std::string digest = report::random_case_digest(count);
    const std::string cases = std::to_string(count) + " random cases";
    if (digest == known) return {"digest", cases + " have the known bits", "", true};
    return {"digest", cases + " hash to " + digest + " instead of " + std::string(known),
            "forward or reverse passes give other bits here than on the machines of the README",
            false};
}

SelfTest golden_test(const std::string& name, std::string_view computed,
                     std::string_view known_sha256) {
    const std::string test = "golden " + name;
    if (report::sha256(computed) == known_sha256) return {test, "byte for byte", "", true};
    return {test, "differs from the golden of this version",
            "a figure differs here; compare with: rmsnorm-fixture verify fixtures/" + name, false};
}

namespace {

std::string_view known_hash(const std::string& name) {
    for (const GoldenHash& golden : golden_hashes) {
        if (golden.name == name) return golden.sha256;
    }
    return "";
}

void add_goldens(std::vector<SelfTest>& tests) {
    for (const Fixture& fixture : fixtures()) {
        for (const Rendering& rendering : fixture.renderings) {
            const std::string name =
                std::string(fixture.id) + "/" + std::string(rendering.golden_name);
            tests.push_back(
                golden_test(name, fixture.render(rendering.format, false).bytes, known_hash(name)));
        }
    }
}

}  // namespace
}  // namespace rmsnorm::cli
