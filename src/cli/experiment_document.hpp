// Documents of experiments, computed again from the inputs that they hold.
#pragma once

#include <string>
#include <string_view>

#include "cli/fixtures.hpp"

namespace rmsnorm::cli {

/// Whether the documents of this name can be computed again: not those of `judge`, and not those of
/// `predict`, whose answers are no inputs.
bool is_recomputable(std::string_view experiment);

/// What the program writes for the inputs in the document `text`, quoted as nearly as possible like
/// it. Throws InputError, which names the file `path`.
FixtureReport recomputed(const std::string& path, const std::string& text);

}  // namespace rmsnorm::cli
