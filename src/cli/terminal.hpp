// Color, and what the standard streams are.
#pragma once

#include <cstddef>
#include <string>

namespace rmsnorm::cli {

enum class Color { automatic, always, never };

/// `--color` for the whole run; automatic means: on a terminal, unless NO_COLOR is set.
void set_color(Color color);

enum class Stream : int { output = 1, error = 2 };

bool is_terminal(Stream stream);

/// How many characters a line of the terminal holds; 80 where it does not say.
std::size_t columns(Stream stream);

bool colored(Stream stream);

enum class Style { bold, red, green, cyan };

/// `text` in the style where the stream shows color, else as it is.
std::string styled(Stream stream, Style style, const std::string& text);

}  // namespace rmsnorm::cli
