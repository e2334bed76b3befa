// Replays: results computed twice from scratch and compared bit pattern by bit pattern.
#pragma once

#include <string>

#include "evidence/check.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::evidence {

/// Measures 0 when the two runs of one computation gave the same bits everywhere, else 1.
Check replay_check(const Record& first, const Record& second);

/// The evidence of `run`, with the replay check of a second run added.
template <class Run>
auto replayed(Run run) {
    auto evidence = run();
    evidence.checks.push_back(replay_check(results(evidence), results(run())));
    return evidence;
}

}  // namespace rmsnorm::evidence
