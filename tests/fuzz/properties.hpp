// What must hold for every input that a reader of values takes or refuses.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/values/npy.hpp"
#include "cli/values/values.hpp"
#include "numeric/bits.hpp"

namespace rmsnorm::fuzz {

inline void require(bool holds, const char* property) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", property);
    std::abort();
}

inline void require_same(const cli::Values& a, const cli::Values& b) {
    require(a.shape == b.shape, "same shape");
    require(a.elements.size() == b.elements.size(), "same count");
    for (std::size_t index = 0; index < a.elements.size(); ++index) {
        require(numeric::same_bits(a.elements[index], b.elements[index]), "same bits");
    }
}

// Of values that were taken: their shape fits, they are finite, and a .npy carries them unchanged.
inline void require_sound(const cli::Values& values, const cli::Limits& limits) {
    require(cli::element_count(values.shape) == values.elements.size(), "shape fits elements");
    require(values.shape.size() <= cli::max_rank, "rank is limited");
    require(values.elements.size() <= limits.max_elements, "count is limited");
    for (const double element : values.elements) require(std::isfinite(element), "finite");
    std::string scratch;
    const std::string file =
        cli::npy_header(values.shape) + std::string(cli::npy_bytes(values.elements, scratch));
    cli::Limits all;
    all.empty_allowed = true;
    require_same(cli::parse_npy("copy", file, all), values);
}

// Of a refusal: one printable line that names the origin and what is accepted.
inline void require_clear(const cli::ValuesError& error) {
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
    require(!error.rejection().found.empty(), "says what was found");
}

}  // namespace rmsnorm::fuzz
