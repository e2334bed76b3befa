#include "cli/terminal.hpp"

#include <sys/ioctl.h>
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

std::size_t columns(Stream stream) {
    constexpr std::size_t usual = 80;
    winsize size{};
    const bool known = ::ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) == 0;
    return known && size.ws_col > 0 ? size.ws_col : usual;
}

bool is_terminal(Stream stream) { return ::isatty(static_cast<int>(stream)) == 1; }

bool colored(Stream stream) {
    if (chosen != Color::automatic) return chosen == Color::always;
    const char* no_color = std::getenv("NO_COLOR");
    if (no_color != nullptr && *no_color != '\0') return false;
    return is_terminal(stream);
}

std::string styled(Stream stream, Style style, const std::string& text) {
    return colored(stream) ? code(style) + text + "\x1b[0m" : text;
}

}  // namespace rmsnorm::cli
