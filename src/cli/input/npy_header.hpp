// The header of NumPy's .npy format, versions 1.0 to 3.0 (numpy.lib.format, NEP 1).
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cli/input/limits.hpp"
#include "tensor/shape.hpp"

namespace rmsnorm::cli {

enum class NpyKind { boolean, whole, natural, floating };

struct NpyHeader {
    NpyKind kind = NpyKind::floating;
    std::size_t element_size = 8;  // in bytes
    std::endian byte_order = std::endian::little;
    bool fortran_order = false;
    tensor::Shape shape;
    std::size_t elements = 1;     // the product of `shape`
    std::size_t data_offset = 0;  // in bytes from the start of the file
};

/// Whether the elements lie in row-major order: C order, or at most one axis longer than 1.
bool is_row_major(const NpyHeader& header);

/// How many bytes from the start of a file suffice to tell how long its header is.
inline constexpr std::size_t npy_preamble_size = 12;

/// The data offset that the preamble states. `bytes` starts the file and has `npy_preamble_size`
/// bytes unless the file is shorter. Throws InputError for a wrong magic or version, a truncated
/// preamble, and a header of more than 65,536 bytes.
std::size_t npy_data_offset(std::string_view origin, std::string_view bytes);

inline constexpr const char* npy_real_numbers =
    "real numbers: floating-point of 2, 4 or 8 bytes ('<f8'), integers of 1 to 8 ('<i8', '|u1') "
    "and booleans ('|b1')";

/// The header that `bytes` starts with; what follows it is not looked at. Throws InputError for
/// anything but a header as numpy writes it for an array of real numbers, in any order of keys;
/// `accepted_types` is what it says of those that the caller takes.
NpyHeader parse_npy_header(std::string_view origin, std::string_view bytes,
                           const char* accepted_types = npy_real_numbers);

/// Throws InputError unless `limits` allow the header's number of elements.
void require_within(std::string_view origin, const NpyHeader& header, const Limits& limits);

/// The header of version 1.0 for little-endian binary64 in C order, byte for byte numpy's own.
std::string npy_header(std::span<const std::size_t> shape);

}  // namespace rmsnorm::cli
