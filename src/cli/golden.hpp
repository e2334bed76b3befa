// Which files are goldens, also when a tool has spelled them otherwise or damaged them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/fixtures.hpp"

namespace rmsnorm::cli {

/// Far above any golden, far below what would be felt.
inline constexpr std::size_t largest_golden = 16U << 20;

struct Golden {
    const Fixture* fixture;  // null for the document of an experiment
    std::string subject;     // the fixture's id, or the experiment's name
    Format format;
    std::string text;                   // as the program would have written it
    std::vector<std::string> spelling;  // what was undone for that: "UTF-16", "carriage returns", …
    bool rewritten;                     // JSON whose layout is another one
};

/// The golden or the document of an experiment that the bytes of a file are, by what they say and
/// not by the file's name; nothing for others.
std::optional<Golden> golden_in(std::string_view bytes);

/// Whether the bytes are a golden or were one once: they hold what marks one, or nearly its first
/// line.
bool resembles_golden(std::string_view bytes);

/// Whether a golden is expected under this name of a file, without its folder.
bool named_like_golden(const std::string& name);

/// What else a file holds, for messages.
std::string described(std::string_view bytes);

/// "25-rmsnorm text, 25-rmsnorm trace, …".
std::string accepted_goldens();

}  // namespace rmsnorm::cli
