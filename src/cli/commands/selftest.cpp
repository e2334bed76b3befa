// rmsnorm-fixture selftest: whether this machine gives the bits that every other one gives.
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "cli/self_test.hpp"
#include "cli/terminal.hpp"

namespace rmsnorm::cli {
namespace {

std::string line(const SelfTest& test) {
    const std::string verdict = test.passed ? styled(Stream::output, Style::green, "ok    ")
                                            : styled(Stream::output, Style::red, "FAILED");
    std::string text = verdict + "  " + test.name + ": " + test.found + "\n";
    if (!test.passed) text += "        meaning: " + test.meaning + "\n";
    return text;
}

std::string summary(const std::vector<SelfTest>& tests) {
    const auto failed = std::count_if(tests.begin(), tests.end(),
                                      [](const SelfTest& test) { return !test.passed; });
    if (failed == 0) {
        return "all " + std::to_string(tests.size()) +
               " self-tests passed: this machine computes the bits of every other one\n";
    }
    return std::to_string(failed) + " of " + std::to_string(tests.size()) +
           " self-tests failed: do not trust the last digits computed here\n";
}

}  // namespace

Invocation prepare_selftest() {
    Invocation invocation;
    invocation.options = {path_option(), certify_option()};
    invocation.run = [](const auto& options) {
        Waiting waiting;
        std::vector<SelfTest> tests = self_test();
        if (given(options, "--certify")) {
            for (SelfTest& test : certify_tests()) tests.push_back(std::move(test));
        }
        waiting.end();
        std::string text;
        for (const SelfTest& test : tests) text += line(test);
        write_output(output_path(options), text + summary(tests));
        const bool passed = std::all_of(tests.begin(), tests.end(),
                                        [](const SelfTest& test) { return test.passed; });
        return passed ? done : check_failed;
    };
    return invocation;
}

}  // namespace rmsnorm::cli
