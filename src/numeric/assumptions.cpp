#include "numeric/assumptions.hpp"

#include <cmath>

#include "numeric/bits.hpp"

namespace rmsnorm::numeric {
namespace {

// Operands that the compiler cannot know, so that the arithmetic happens when the program runs.
double run_time(double value) {
    volatile double hidden = value;
    return hidden;
}

float run_time(float value) {
    volatile float hidden = value;
    return hidden;
}

bool binary64_evaluation() {
    // In a wider format the first sum would keep 2^-53, and the second rounding would lose it.
    const double half_and_more = run_time(0x1.002p-53);
    const double sum = run_time(1.0) + half_and_more;
    // In a wider range the product would come back.
    const double product = run_time(0x1p1023) * run_time(4.0);
    return same_bits(sum, 0x1.0000000000001p0) && std::isinf(run_time(product) / run_time(4.0));
}

bool binary32_evaluation() {
    const float sum = run_time(1.0F) + run_time(0x1.002p-24F);
    const float product = run_time(0x1p127F) * run_time(4.0F);
    return same_bits(sum, 0x1.000002p0F) && std::isinf(run_time(product) / run_time(4.0F));
}

bool rounds_to_nearest_even() {
    const double one = run_time(1.0);
    const double half_ulp = run_time(0x1p-53);
    const double odd = run_time(0x1.0000000000001p0);
    return one + half_ulp == one && odd + half_ulp == 0x1.0000000000002p0 &&
           -one - half_ulp == -one && one + run_time(0x1.8p-53) == 0x1.0000000000001p0 &&
           run_time(1.0F) + run_time(0x1p-24F) == 1.0F;
}

bool keeps_subnormal_results() {
    return bits(run_time(0x1p-1022) * run_time(0.5)) == 0x0008000000000000U &&
           bits(run_time(0x1p-126F) * run_time(0.5F)) == 0x00400000U;
}

bool reads_subnormal_operands() {
    return run_time(0x1p-1074) * run_time(0x1p1000) == 0x1p-74 &&
           run_time(0x1p-149F) * run_time(0x1p100F) == 0x1p-49F;
}

// Kept apart so that the compiler is free to contract it, as it would be elsewhere.
[[gnu::noinline]] double product_sum(double a, double b, double c) { return a * b + c; }

bool rounds_products_before_sums() {
    // (1 + 2^-52)^2 - (1 + 2^-51) is 2^-104 with one rounding, and zero with two.
    const double a = run_time(0x1.0000000000001p0);
    return product_sum(a, a, run_time(-0x1.0000000000002p0)) == 0;
}

bool takes_exact_square_roots() {
    return same_bits(std::sqrt(run_time(2.0)), 0x1.6a09e667f3bcdp0) &&
           same_bits(std::sqrt(run_time(0x1p-1074)), 0x1p-537) &&
           same_bits(std::sqrt(run_time(2.0F)), 0x1.6a09e6p0F);
}

}  // namespace

std::vector<Assumption> arithmetic_assumptions() {
    return {
        {"binary64-evaluation", "every binary64 operation rounds to binary64 at once",
         "operations are evaluated in a wider format, so last bits differ; on a 32-bit x86 build "
         "with -msse2 -mfpmath=sse",
         binary64_evaluation()},
        {"binary32-evaluation", "every binary32 operation rounds to binary32 at once",
         "the figures of 23-normalization differ in their last bits", binary32_evaluation()},
        {"rounding-mode", "results round to nearest, ties to even",
         "the process runs in another rounding mode; nearly every figure is off by a bit",
         rounds_to_nearest_even()},
        {"subnormal-results", "results below the normal range underflow gradually",
         "flush-to-zero is on; tiny inputs lose their energy", keeps_subnormal_results()},
        {"subnormal-operands", "operands below the normal range keep their value",
         "denormals-are-zero is on; tiny inputs count as zeros", reads_subnormal_operands()},
        {"no-contraction", "a product rounds before it enters a sum",
         "the build contracts products and sums; compile with -ffp-contract=off",
         rounds_products_before_sums()},
        {"square-root", "square roots are correctly rounded",
         "the exhibit's and the book's figures differ in their last bits",
         takes_exact_square_roots()},
    };
}

}  // namespace rmsnorm::numeric
