// Declared inputs of experiments from the words of a request.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "evidence/input.hpp"

namespace rmsnorm::pages {

using Words = std::vector<std::string_view>;

/// The explorer's vectors have at most eight.
inline constexpr std::size_t max_elements = 4096;

/// The parts of `text` between separators; one empty part of an empty text.
Words split(std::string_view text, char separator);

/// Reads words such as "--epsilon=1e-5". Throws InputRejection for an option that is not declared
/// or a value that is not a number, or a list of them, as the option takes it.
void read_inputs(std::vector<evidence::Input>& inputs, const Words& words);

}  // namespace rmsnorm::pages
