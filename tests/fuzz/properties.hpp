// What must hold for every input that a reader of values takes or refuses.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/error.hpp"
#include "support/readers.hpp"

namespace rmsnorm::fuzz {

inline void require(bool holds, const char* property) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", property);
    std::abort();
}

inline void require_same(const tensor::Tensor& a, const tensor::Tensor& b) {
    require(tensor::same_bits(a, b), "same shape and bits");
}

// Of values that were taken: they are within the limits and finite, and a .npy carries them
// unchanged.
inline void require_sound(const tensor::Tensor& values, const cli::Limits& limits) {
    require(values.rank() <= cli::max_rank, "rank is limited");
    require(values.size() <= limits.max_elements, "count is limited");
    for (const double element : values.values()) require(std::isfinite(element), "finite");
    std::string scratch;
    const std::string file =
        cli::npy_header(values.shape()) + std::string(cli::npy_bytes(values.values(), scratch));
    cli::Limits all;
    all.empty_allowed = true;
    require_same(test::npy_tensor("copy", file, all), values);
}

// Of a refusal: one printable line that names the origin and what is accepted.
inline void require_clear(const cli::InputError& error) {
    const std::string_view text = error.what();
    require(text.starts_with("fuzz: "), "names the origin");
    require(text.find("; accepted: ") != std::string_view::npos, "says what is accepted");
    require(text.size() < 4000, "is short");
    // Beyond ASCII well-formed UTF-8 may stand in it: what is left is what needs no escaping.
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        require(byte >= 0x20 && byte != 0x7f, "is one line");
    }
    require(cli::printable(text) == text, "is printable");
    require(text.find(": found ") != std::string_view::npos, "says what was found");
}

}  // namespace rmsnorm::fuzz
