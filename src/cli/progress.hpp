// A bar on standard error for work that lasts.
#pragma once

#include <chrono>
#include <cstdint>

namespace rmsnorm::cli {

/// Draws when standard error is a terminal and the work has lasted over a second; takes the bar
/// away when it goes.
class Progress {
  public:
    explicit Progress(std::uint64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void advance(std::uint64_t done);

  private:
    using Clock = std::chrono::steady_clock;

    void draw() const;

    std::uint64_t total_;
    std::uint64_t done_ = 0;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point next_;  // when to draw again
};

}  // namespace rmsnorm::cli
