// What a terminal on standard error shows of work that lasts.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace rmsnorm::cli {

/// A bar. Draws when standard error is a terminal and the work has lasted over a second; takes the
/// bar away when it goes.
class Progress {
  public:
    explicit Progress(std::uint64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void advance(std::uint64_t done);

  private:
    using Clock = std::chrono::steady_clock;

    std::string line() const;

    std::uint64_t total_;
    std::uint64_t done_ = 0;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point next_;  // when to draw again
};

/// A line for work that tells nothing of how far it is: after a second, and every second from then
/// on, for how long it has lasted. Takes the line away when it goes. Until then the terminal is
/// written to and read from within `aside` alone.
class Waiting {
  public:
    enum class Shown { yes, no };

    explicit Waiting(Shown shown = Shown::yes);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    /// Takes the line away before its time.
    void end();

    /// What `action` returns. While it runs the line is away.
    template <class Action>
    auto aside(Action action) {
        const std::lock_guard lock(mutex_);
        take_away();
        return action();
    }

  private:
    using Clock = std::chrono::steady_clock;

    void run(Clock::time_point begin);
    void take_away();  // by the holder of the mutex

    std::mutex mutex_;  // of what follows
    std::condition_variable changed_;
    bool ending_ = false;
    bool drawn_ = false;
    std::thread thread_;
};

}  // namespace rmsnorm::cli
