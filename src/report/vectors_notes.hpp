// What test vectors say of their flags: a sentence, and public reports of the mistake.
#pragma once

#include <string>
#include <vector>

#include "judge/vectors/test_case.hpp"

namespace rmsnorm::report {

std::string vectors_note(const std::string& flag, judge::vectors::Direction direction);

/// "repository#number" of issues and pull requests that tell of it.
std::vector<std::string> public_reports(const std::string& flag,
                                        judge::vectors::Direction direction);

}  // namespace rmsnorm::report
