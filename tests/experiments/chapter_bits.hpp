// The bits of every figure of the fixture 25-rmsnorm.
#pragma once

#include <cstdint>
#include <vector>

/// As the chapter's own program, written in another language, computes them on x86-64 Linux: no
/// pattern here came out of this project.
namespace chapter_bits {

using Bits = std::vector<std::uint64_t>;

inline const Bits input{0x4008000000000000, 0x4010000000000000};
inline const Bits mean_square{0x4029000000000000};
inline const Bits inverse_rms{0x3fd21a17d884853a};
inline const Bits normalized{0x3feb2723c4c6c7d7, 0x3ff21a17d884853a};
inline const Bits gain{0x3ff8000000000000, 0x3fe0000000000000};
inline const Bits output{0x3ff45d5ad39515e1, 0x3fe21a17d884853a};
inline const Bits upstream{0x3ff0000000000000, 0xc000000000000000};
inline const Bits input_gradient{0x3fda111827a49c73, 0xbfd38cd1ff5cbf14};
inline const Bits gain_gradient{0x3feb2723c4c6c7d7, 0xc0021a17d884853a};
inline const Bits normalized_mean_square{0x3feffffe5280ecda};
inline const Bits scale_ideal_base{0x3feb27247aff148f, 0x3ff21a1851ff630a};
inline const Bits scale_ideal_scaled{0x3feb27247aff1490, 0x3ff21a1851ff630b};
inline const Bits scale_ideal_max_abs_diff{0x3cb0000000000000};
inline const Bits scale_production_base{0x3feb2723c4c6c7d7, 0x3ff21a17d884853a};
inline const Bits scale_production_scaled{0x3feb2724792c98d6, 0x3ff21a1850c865e4};
inline const Bits scale_production_max_abs_diff{0x3e9e10f82a800000};
inline const Bits scale_near_zero_base{0x3fb822cb17ff2eb9, 0x3fc017320fff747c};
inline const Bits scale_near_zero_scaled{0x3fe43d136248490e, 0x3feafc19d8606169};
inline const Bits scale_near_zero_max_abs_diff{0x3fe6f64d5460844a};
inline const Bits zero_output{0x0000000000000000, 0x0000000000000000};
inline const Bits batch_output{0x3ff45d5ad39515e1, 0x3fe21a17d884853a, 0x0000000000000000,
                               0x3fe6a09dcea5a688};
inline const Bits history_batch_anchor_a{0xbfeffffd60e9a15a, 0xbfeffffd60e9a15a};
inline const Bits history_batch_anchor_b{0x0000000000000000, 0x0000000000000000};
inline const Bits history_layer_norm{0xbfeffff583aa62f6, 0x3feffff583aa62f6};
inline const Bits history_rms_norm{0x3fdc9f25c5bfedda, 0x3ff5775c544ff264};
inline const Bits history_rms_mean{0x3fec9f25c5bfedda};

}  // namespace chapter_bits
