// Rounds the binary64 numbers on standard input, in the machine's byte order, to a format and
// writes the patterns, 8 bytes each, to standard output; for tests from outside.
//   rmsnorm_round_numbers bf16|f16|f32|f64
#include <cstdint>
#include <cstdio>
#include <optional>

#include "numeric/number_format.hpp"

int main(int argc, char** argv) {
    using namespace rmsnorm::numeric;
    const std::optional<NumberFormat> format = format_named(argc == 2 ? argv[1] : "");
    if (!format) return 2;
    for (double value = 0; std::fread(&value, sizeof value, 1, stdin) == 1;) {
        const std::uint64_t pattern = encode(*format, value);
        if (std::fwrite(&pattern, sizeof pattern, 1, stdout) != 1) return 3;
    }
    return 0;
}
