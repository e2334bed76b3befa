// Run with the assumptions compiled so that products and sums contract. Exit code 0: that, and that
// alone, was noticed; 1: it was not; 77: this processor has no fused multiply-add.
#include <cstdio>
#include <string_view>

#include "numeric/assumptions.hpp"

int main() {
#if defined(__x86_64__) || defined(__i386__)
    if (!__builtin_cpu_supports("fma")) return 77;
#endif
    bool noticed = false;
    for (const rmsnorm::numeric::Assumption& assumption :
         rmsnorm::numeric::arithmetic_assumptions()) {
        const bool contraction = std::string_view(assumption.name) == "no-contraction";
        if (assumption.holds == contraction) {
            std::printf("%s %s\n", assumption.name, assumption.holds ? "holds" : "does not hold");
            return 1;
        }
        noticed = noticed || contraction;
    }
    return noticed ? 0 : 1;
}
