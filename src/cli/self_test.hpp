// The program tested on the machine where it runs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numeric/assumptions.hpp"
#include "numeric/hard_cases.hpp"

namespace rmsnorm::cli {

struct SelfTest {
    std::string name;
    std::string found;    // one phrase: what was tested, or what differs
    std::string meaning;  // of a difference; empty when it passed
    bool passed;
};

/// Arithmetic assumptions, hard cases of exp and log, the digest of random cases, all goldens.
std::vector<SelfTest> self_test();

/// Every figure of every fixture beside its exact result.
std::vector<SelfTest> certify_tests();

SelfTest assumption_test(const numeric::Assumption& assumption);

/// Whether exp and log give the results that `hard_cases` names.
SelfTest hard_case_test(std::span<const numeric::HardCase> hard_cases);

/// Whether the digest of the first `count` random cases (report/digest.hpp) is `known`.
SelfTest digest_test(std::size_t count, std::string_view known);

/// Whether the golden `name` ("25-rmsnorm/report.txt") as computed here has the known hash.
SelfTest golden_test(const std::string& name, std::string_view computed,
                     std::string_view known_sha256);

}  // namespace rmsnorm::cli
