#include "cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "cli/error.hpp"
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
    if (drawn_) show("\r\x1b[K");
}

void Progress::advance(std::uint64_t done) {
    done_ += done;
    if (!terminal_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    drawn_ = true;
    draw();
}

void Progress::draw() const {
    constexpr std::uint64_t width = 40;
    const auto part = [&](std::uint64_t of) {
        const double share = static_cast<double>(done_) / static_cast<double>(total_);
        return std::min(of, static_cast<std::uint64_t>(share * static_cast<double>(of)));
    };
    const auto length = static_cast<std::size_t>(part(width));
    show("\r[" + std::string(length, '#') + std::string(width - length, ' ') + "] " +
         std::to_string(part(100)) + " %");
}

}  // namespace rmsnorm::cli
