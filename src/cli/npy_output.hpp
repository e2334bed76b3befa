// Results as .npy files.
#pragma once

#include <string>

#include "tensor/tensor.hpp"

namespace rmsnorm::cli {

/// Whether a name asks for a .npy file, in letters of either case.
bool names_npy(const std::string& path);

/// Little-endian binary64 in C order. Throws IoError.
void write_npy(const std::string& path, const tensor::Tensor& tensor);

}  // namespace rmsnorm::cli
