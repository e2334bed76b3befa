// Tensors in .safetensors and .npy files of any size, which stay where they are and are read
// element by element.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numeric/number_format.hpp"

namespace rmsnorm::cli {

/// A file in memory, mapped where the system can; standard input is read to its end.
class FileBytes {
  public:
    /// `origin` is what messages call it. Throws IoError.
    FileBytes(const std::string& origin, const std::string& path);
    ~FileBytes();
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    std::string_view bytes() const { return bytes_; }

  private:
    std::string_view bytes_;
    std::string read_;
    void* mapping_ = nullptr;
};

/// A tensor's place in a file.
struct StoredTensor {
    std::string name;  // empty in a .npy
    numeric::NumberFormat format = numeric::NumberFormat::binary32;
    std::string dtype;     // as the file calls it; any word: `size` is 0 if it is no number format
    std::size_t size = 0;  // bytes of an element
    bool big_endian = false;
    bool column_major = false;
    std::vector<std::size_t> shape;
    std::size_t elements = 0;
    std::string_view bytes;

    /// The elements `first`, `first + stride`, ... in row-major order.
    void read(std::size_t first, std::size_t stride, std::span<double> values) const;
};

/// The tensors of a safetensors file. Throws InputError for anything but a header of at most 16 MiB
/// with distinct names and tensors that fill the file without gap or overlap; allocates nothing for
/// tensors.
std::vector<StoredTensor> parse_safetensors(const std::string& origin, std::string_view bytes);

/// The array of a .npy file of floating-point numbers; of two-byte elements without a type, or
/// whole numbers of 16 bits, when `two_bytes` says what they are. Throws InputError.
StoredTensor parse_npy_tensor(const std::string& origin, std::string_view bytes,
                              std::optional<numeric::NumberFormat> two_bytes);

}  // namespace rmsnorm::cli
