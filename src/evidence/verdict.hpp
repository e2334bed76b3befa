// What a comparison says: that something holds, that it fails, or that this cannot be told.
#pragma once

#include <algorithm>

namespace rmsnorm::evidence {

/// In rising order of what it says against a result. A document holds true, null or false.
enum class Verdict { holds, undecided, fails };

constexpr Verdict verdict(bool passed, bool decided) {
    if (!decided) return Verdict::undecided;
    return passed ? Verdict::holds : Verdict::fails;
}

/// Of both together.
constexpr Verdict both(Verdict a, Verdict b) { return std::max(a, b); }

}  // namespace rmsnorm::evidence
