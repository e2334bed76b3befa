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

void draw(const std::string& line) {
    erase_line_on_interruption(true);
    show(std::string(erased_line) + line);
}

void erase() {
    show(std::string(erased_line));
    erase_line_on_interruption(false);
}

}  // namespace

Progress::Progress(std::uint64_t total)
    : total_(std::max<std::uint64_t>(total, 1)),
      terminal_(is_terminal(Stream::error)),
      next_(terminal_ ? Clock::now() + std::chrono::seconds(1) : Clock::time_point{}) {}

Progress::~Progress() {
    if (drawn_) erase();
}

void Progress::advance(std::uint64_t done) {
    done_ += done;
    if (!terminal_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    drawn_ = true;
    draw(line());
}

std::string Progress::line() const {
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
    return (width > 0 ? bar : "") + std::to_string(part(100)) + " %";
}

Waiting::Waiting(Shown shown) {
    if (shown == Shown::no || !is_terminal(Stream::error)) return;
    thread_ = thread_without_signals([this, begin = Clock::now()] { run(begin); });
}

Waiting::~Waiting() { end(); }

void Waiting::end() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
    take_away();
}

void Waiting::take_away() {
    if (drawn_) erase();
    drawn_ = false;
}

void Waiting::run(Clock::time_point begin) {
    std::unique_lock lock(mutex_);
    for (int seconds = 1;; ++seconds) {
        const auto next = begin + std::chrono::seconds(seconds);
        if (changed_.wait_until(lock, next, [this] { return ending_; })) return;
        drawn_ = true;
        const std::string line = "computing, " + std::to_string(seconds) + " s";
        draw(line.substr(0, columns(Stream::error) - 1));
    }
}

}  // namespace rmsnorm::cli
