// Reading whole files.
#pragma once

#include <cstddef>
#include <string>

namespace rmsnorm::cli {

/// The bytes of a file; `-` is standard input. Throws IoError for what cannot be read (a directory
/// too), and InputError when there are more than `most` bytes, without reading them all.
std::string read_file(const std::string& path, std::size_t most);

/// The first bytes of a file, at most `count`. Throws IoError.
std::string read_start(const std::string& path, std::size_t count);

}  // namespace rmsnorm::cli
