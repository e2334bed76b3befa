// Arguments at which exp and log are hardest to round, with the right results.
#pragma once

#include <cstdint>
#include <span>

namespace rmsnorm::numeric {

enum class Elementary { exp, log };

/// What the real result of a hard case all but coincides with: the midpoint of two binary64
/// numbers, where rounding to nearest is hard, or a binary64 number, where directed rounding is.
enum class Nearby { midpoint, number };

struct HardCase {
    Elementary function;
    std::uint64_t argument;  // bit patterns
    std::uint64_t result;    // of the nearest binary64 number
    Nearby nearby;
};

/// The hardest known arguments (V. Lefevre, J.-M. Muller, Worst Cases for Correct Rounding of the
/// Elementary Functions in Double Precision, ARITH-15, 2001), some whose power series is a midpoint
/// but for its last terms, and others, found among random arguments, whose results are within 2^-21
/// units in the last place of a midpoint. The results come from MPFR.
std::span<const HardCase> hard_cases();

}  // namespace rmsnorm::numeric
