// What a run that is ended by a signal takes away with it.
#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace rmsnorm::cli {

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU remove this one file before they end
/// the program; an empty path ends that. A signal that the program was started to ignore stays
/// ignored.
void remove_on_interruption(const std::string& path);

/// Moves to the start of a terminal's line and clears it.
constexpr std::string_view erased_line = "\r\x1b[K";

/// Whether those signals clear the line on standard error too.
void erase_line_on_interruption(bool erase);

/// Holds those signals back while it lives. One that came meanwhile ends the program when it goes.
class HeldSignals {
  public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    /// Throws IoError, which calls the work `name`, when one has come: to be called where the work
    /// may stop.
    void refuse_pending(const std::string& name) const;

  private:
    sigset_t held_;
    sigset_t before_;
};

/// A thread that takes none of those signals: where the others hold them back, it would not. Not
/// joinable where the system gives none.
std::thread thread_without_signals(std::function<void()> work);

}  // namespace rmsnorm::cli
