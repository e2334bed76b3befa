// The documents that `judge --rows` wrote, read back.
#pragma once

#include <string>
#include <vector>

#include "judge/part.hpp"

namespace rmsnorm::cli {

/// The parts of the documents, which may come in any order, joined. Throws IoError, and InputError
/// for a file that is no document of a part, for parts of unlike tensors, and for rows that are
/// missing or come twice.
judge::Joined read_parts(const std::vector<std::string>& paths);

}  // namespace rmsnorm::cli
