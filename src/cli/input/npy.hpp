// The numbers of NumPy's .npy format: of whole files, block by block, and to be written.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/byte_stream.hpp"
#include "cli/input/npy_header.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::cli {

/// A .npy file read block by block, in the memory of the caller's block and one small buffer.
class NpyStream {
  public:
    /// Reads the header. Throws InputError, also when the file tells its size and that is not
    /// what the header promises, and IoError.
    explicit NpyStream(ByteStream stream);

    const NpyHeader& header() const { return header_; }
    const std::string& origin() const { return stream_.origin(); }

    /// The next elements, in the file's own order, into `block`: as many as fit, fewer only at the
    /// end, 0 after it. Elements are finite. Throws InputError for a NaN or infinity, for an
    /// integer that binary64 does not hold, for an early end, and with the last element for bytes
    /// behind it; IoError.
    std::size_t read_block(std::span<double> block);

  private:
    ByteStream stream_;
    NpyHeader header_;
    std::size_t read_ = 0;  // elements so far
    std::string buffer_;    // bytes that are not yet native binary64
};

/// All that the stream has, row-major. Throws InputError, before it reads when the header's count
/// is over the limit, and IoError.
tensor::Tensor read_all(NpyStream stream, const Limits& limits = {});

/// Turns elements of the file's type, in its byte order, into binary64; an integer that binary64
/// does not hold becomes a NaN. `bytes` has `header.element_size` bytes for each of `elements`.
void decode_npy(const NpyHeader& header, std::string_view bytes, std::span<double> elements);

/// The index of the first NaN or infinity, or the size.
std::size_t first_non_finite(std::span<const double> elements);

/// Elements in Fortran order (the first axis runs fastest) put into row-major order.
std::vector<double> row_major(std::span<const double> fortran, const tensor::Shape& shape);

/// The little-endian bytes of `elements`: the very memory where the processor stores them so, else
/// written into `scratch`, which the result then points into.
std::string_view npy_bytes(std::span<const double> elements, std::string& scratch);

}  // namespace rmsnorm::cli
