#include "report/digest.hpp"

#include "evidence/random_cases.hpp"
#include "numeric/bits.hpp"
#include "report/sha256.hpp"

namespace rmsnorm::report {

std::string random_case_bytes(std::size_t count) {
    std::string bytes;
    evidence::run_random_cases(
        count, [&](std::size_t, std::string_view operand, const tensor::Tensor& values) {
            bytes.append(operand).append(":");
            for (const double value : values.values()) {
                for (int shift = 56; shift >= 0; shift -= 8) {
                    bytes += static_cast<char>(numeric::bits(value) >> shift & 0xffU);
                }
            }
        });
    return bytes;
}

std::string random_case_digest(std::size_t count) { return sha256(random_case_bytes(count)); }

}  // namespace rmsnorm::report
