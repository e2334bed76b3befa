// The program tested on the machine where it runs.
#pragma once

#include <string>
#include <vector>

namespace rmsnorm::cli {

struct SelfTest {
    std::string name;
    std::string found;    // one phrase: what was tested, or what differs
    std::string meaning;  // of a difference; empty when it passed
    bool passed;
};

/// Arithmetic assumptions, hard cases of exp and log, the digest of random cases, all goldens.
std::vector<SelfTest> self_test();

}  // namespace rmsnorm::cli
