// Each assumption about arithmetic fails where it does not hold: the processor is made to round and
// to flush otherwise. That contraction is noticed, contracted_assumptions.cpp shows.
#include "numeric/assumptions.hpp"

#include <doctest/doctest.h>

#include <cfenv>
#include <string>
#include <vector>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

using namespace rmsnorm::numeric;

namespace {

using Names = std::vector<std::string>;

Names violated() {
    Names names;
    for (const Assumption& assumption : arithmetic_assumptions()) {
        if (!assumption.holds) names.push_back(assumption.name);
    }
    return names;
}

bool contains(const Names& names, const std::string& name) {
    for (const std::string& known : names) {
        if (known == name) return true;
    }
    return false;
}

[[maybe_unused]] Names violated_when_rounding(int mode) {
    const int usual = std::fegetround();
    REQUIRE(std::fesetround(mode) == 0);
    Names names = violated();
    std::fesetround(usual);
    return names;
}

#if defined(__SSE2__)
Names violated_with(unsigned control_bits) {
    const unsigned usual = _mm_getcsr();
    _mm_setcsr(usual | control_bits);
    Names names = violated();
    _mm_setcsr(usual);
    return names;
}
#endif

}  // namespace

TEST_CASE("all assumptions hold in a process as it starts") { CHECK(violated() == Names{}); }

#if defined(FE_UPWARD) && defined(FE_DOWNWARD) && defined(FE_TOWARDZERO)
TEST_CASE("another rounding mode is noticed, whichever it is") {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        CAPTURE(mode);
        CHECK(contains(violated_when_rounding(mode), "rounding-mode"));
    }
    CHECK(violated() == Names{});
}
#endif

#if defined(__SSE2__)
// Bits of MXCSR (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 10.2.3).
TEST_CASE("flushing results to zero is noticed as that, and so are operands taken for zeros") {
    constexpr unsigned flush_to_zero = 1U << 15;
    constexpr unsigned denormals_are_zeros = 1U << 6;
    CHECK(violated_with(flush_to_zero) == Names{"subnormal-results"});
    CHECK(contains(violated_with(denormals_are_zeros), "subnormal-operands"));
    CHECK_FALSE(contains(violated_with(denormals_are_zeros), "subnormal-results"));
    CHECK(violated() == Names{});
}
#endif
