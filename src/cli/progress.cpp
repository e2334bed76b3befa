#include "cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "cli/error.hpp"
#include "cli/interruption.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"

namespace rmsnorm::cli {
namespace {

void show(const std::string& text) {
    try {
        write_all(STDERR_FILENO, text, "standard error");
    } catch (const IoError&) {
        return;  // nobody watches
    }
}

}  // namespace

Progress::Progress(std::uint64_t total)
    : total_(std::max<std::uint64_t>(total, 1)),
      terminal_(is_terminal(Stream::error)),
      next_(terminal_ ? Clock::now() + std::chrono::seconds(1) : Clock::time_point{}) {}

Progress::~Progress() {
    if (!drawn_) return;
    show(std::string(erased_line));
    erase_line_on_interruption(false);
}

void Progress::advance(std::uint64_t done) {
    done_ += done;
    if (!terminal_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    drawn_ = true;
    erase_line_on_interruption(true);
    draw();
}

void Progress::draw() const {
    // A full line would move the cursor on to the next one.
    constexpr std::size_t beside_bar = std::string_view("[] 100 % ").size();
    const std::size_t room = columns(Stream::error);
    const std::size_t width = std::min<std::size_t>(40, room - std::min(room, beside_bar));
    const auto part = [&](std::uint64_t of) {
        const double share = static_cast<double>(done_) / static_cast<double>(total_);
        return std::min(of, static_cast<std::uint64_t>(share * static_cast<double>(of)));
    };
    const auto length = static_cast<std::size_t>(part(width));
    const std::string bar =
        "[" + std::string(length, '#') + std::string(width - length, ' ') + "] ";
    show(std::string(erased_line) + (width > 0 ? bar : "") + std::to_string(part(100)) + " %");
}

}  // namespace rmsnorm::cli
