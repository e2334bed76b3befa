// Declared inputs of experiments from the words of a request.
#pragma once

#include <string_view>
#include <vector>

#include "evidence/experiment.hpp"

namespace rmsnorm::pages {

using Words = std::vector<std::string_view>;

/// The parts of `text` between separators; one empty part of an empty text.
Words split(std::string_view text, char separator);

/// Reads words such as "--epsilon=1e-5". Throws InputRejection for an option that is not declared
/// or a value that is not a number, or a list of them, as the option takes it.
void read_inputs(std::vector<evidence::Input>& inputs, const Words& words);

/// The same, and what the experiment makes of what was not given.
void read_inputs(evidence::Experiment& experiment, const Words& words);

}  // namespace rmsnorm::pages
