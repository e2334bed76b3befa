// NumPy's .npy format, versions 1.0 to 3.0 (numpy.lib.format, NEP 1): header and numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/values/values.hpp"

namespace rmsnorm::cli {

enum class NpyType { binary16, binary32, binary64 };

struct NpyHeader {
    NpyType type = NpyType::binary64;
    std::endian byte_order = std::endian::little;
    bool fortran_order = false;
    std::vector<std::size_t> shape;
    std::size_t elements = 1;     // the product of `shape`
    std::size_t data_offset = 0;  // in bytes from the start of the file
};

/// Bytes of one element.
std::size_t element_size(NpyType type);

/// Whether the elements lie in row-major order: C order, or at most one axis longer than 1.
bool is_row_major(const NpyHeader& header);

/// How many bytes from the start of a file suffice to tell how long its header is.
inline constexpr std::size_t npy_preamble_size = 12;

/// The data offset that the preamble states. `bytes` starts the file and has `npy_preamble_size`
/// bytes unless the file is shorter. Throws `ValuesError` for a wrong magic or version, a truncated
/// preamble, and a header of more than 65,536 bytes.
std::size_t npy_data_offset(std::string_view origin, std::string_view bytes);

/// The header that `bytes` starts with; what follows it is not looked at. Throws `ValuesError` for
/// anything but a header as numpy writes it for an array of f2, f4 or f8, in any order of keys.
NpyHeader parse_npy_header(std::string_view origin, std::string_view bytes);

/// Turns elements of the file's type, in its byte order, into binary64, exactly. `bytes` has
/// `element_size(header.type)` times as many bytes as `elements` has elements.
void decode_npy(const NpyHeader& header, std::string_view bytes, std::span<double> elements);

/// The index of the first NaN or infinity, or the size.
std::size_t first_non_finite(std::span<const double> elements);

/// Throws the `ValuesError` for a NaN or infinity `value` at `index`, counted as the file has its
/// elements; the message counts in row-major order.
[[noreturn]] void refuse_non_finite(std::string_view origin, const NpyHeader& header,
                                    std::size_t index, double value);

/// Throws the `ValuesError` for a file that ends inside of its data, or goes on behind it.
[[noreturn]] void refuse_truncated(std::string_view origin, const NpyHeader& header,
                                   std::size_t elements_found);
[[noreturn]] void refuse_trailing(std::string_view origin, const NpyHeader& header);

/// Elements in Fortran order (the first axis runs fastest) put into row-major order.
std::vector<double> row_major(std::span<const double> fortran, std::span<const std::size_t> shape);

/// A whole file. The elements come row-major; each is finite. Throws `ValuesError`; allocates
/// nothing for elements that `bytes` does not hold.
Values parse_npy(std::string_view origin, std::string_view bytes, const Limits& limits = {});

/// Throws `ValuesError` unless `limits` allow the header's number of elements.
void require_within(std::string_view origin, const NpyHeader& header, const Limits& limits);

/// The header of version 1.0 for little-endian binary64 in C order, byte for byte numpy's own.
std::string npy_header(std::span<const std::size_t> shape);

/// The little-endian bytes of `elements`: the very memory where the processor stores them so, else
/// written into `scratch`, which the result then points into.
std::string_view npy_bytes(std::span<const double> elements, std::string& scratch);

}  // namespace rmsnorm::cli
