// What a comparison says: that something holds, that it fails, or that this cannot be told.
#pragma once

#include <algorithm>

namespace rmsnorm::evidence {

/// In rising order of what it says against a result. A document holds true, null or false.
enum class Decision { holds, undecided, fails };

constexpr Decision decision(bool passed, bool decided) {
    if (!decided) return Decision::undecided;
    return passed ? Decision::holds : Decision::fails;
}

/// Of both together.
constexpr Decision both(Decision a, Decision b) { return std::max(a, b); }

}  // namespace rmsnorm::evidence
