#include "cli/terminal.hpp"

#include <unistd.h>

#include <cstdlib>

namespace rmsnorm::cli {
namespace {

Color chosen = Color::automatic;

const char* code(Style style) {
    switch (style) {
        case Style::bold: return "\x1b[1m";
        case Style::red: return "\x1b[31m";
        case Style::green: return "\x1b[32m";
        case Style::cyan: return "\x1b[36m";
    }
    return "";
}

}  // namespace

void set_color(Color color) { chosen = color; }

bool is_terminal(Stream stream) { return ::isatty(static_cast<int>(stream)) == 1; }

bool colored(Stream stream) {
    const char* no_color = std::getenv("NO_COLOR");
    if (no_color != nullptr && *no_color != '\0') return false;
    if (chosen != Color::automatic) return chosen == Color::always;
    return is_terminal(stream);
}

std::string styled(Stream stream, Style style, const std::string& text) {
    return colored(stream) ? code(style) + text + "\x1b[0m" : text;
}

}  // namespace rmsnorm::cli
