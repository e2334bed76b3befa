// The forward pass from values to a .npy file, however large the input file is.
#pragma once

#include <string>
#include <vector>

#include "cli/option.hpp"

namespace rmsnorm::cli {

/// Writes the output to `path`. A row-major .npy input is read, normalized and written in blocks:
/// memory holds a few rows and the gain. Any other input is read whole. Returns an ExitCode. Throws
/// InputError, IoError, nn::RmsNormError.
int forward_to_npy(const std::vector<Option>& options, const std::string& path);

}  // namespace rmsnorm::cli
