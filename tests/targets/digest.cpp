// Prints the SHA-256 of the bits of N random forward and reverse passes: rmsnorm_digest N. Two
// machines that print the same computed the same bits.
//
// To find where they do not: rmsnorm_digest N --bits prints the bits themselves, one operand a
// line, and `cmp` or `diff` of two such files names the first case and operand.
#include "report/digest.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "evidence/random_cases.hpp"
#include "numeric/bits.hpp"

namespace {

void print_bits(std::size_t count) {
    rmsnorm::evidence::run_random_cases(count, [](std::size_t index, std::string_view operand,
                                                  const rmsnorm::tensor::Tensor& values) {
        std::string line = "case " + std::to_string(index) + " " + std::string(operand);
        for (const double value : values.values()) line += " " + rmsnorm::numeric::hex(value);
        std::puts(line.c_str());
    });
}

}  // namespace

int main(int count, char** words) {
    const std::size_t cases = count > 1 ? std::strtoul(words[1], nullptr, 10) : 0;
    if (cases == 0) {
        std::fputs("usage: rmsnorm_digest COUNT [--bits]\n", stderr);
        return 2;
    }
    if (count > 2 && std::strcmp(words[2], "--bits") == 0) {
        print_bits(cases);
    } else {
        std::puts(rmsnorm::report::random_case_digest(cases).c_str());
    }
    return 0;
}
