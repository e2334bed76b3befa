// The value of one declared input, from the words of its option or from JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/json.hpp"
#include "evidence/input.hpp"

namespace rmsnorm::cli {

/// `words` are what the option was given, at least one. Throws InputError and IoError.
void set_from_words(const evidence::Input& input, const std::vector<std::string>& words,
                    std::size_t max_elements);

/// `origin` is what messages call the member; `shape` is that of a flat tensor which takes one.
/// Throws InputError.
void set_from_json(const evidence::Input& input, const std::string& origin, const JsonNode& node,
                   const std::optional<tensor::Shape>& shape, std::size_t max_elements);

}  // namespace rmsnorm::cli
