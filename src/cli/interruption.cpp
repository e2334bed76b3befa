#include "cli/interruption.hpp"

#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "cli/error.hpp"

namespace rmsnorm::cli {
namespace {

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};

// A signal handler may read no more than this.
char doomed_path[PATH_MAX];
volatile std::sig_atomic_t doomed = 0;
volatile std::sig_atomic_t line_drawn = 0;

void remove_and_end(int signal) {
    if (doomed != 0) ::unlink(doomed_path);
    if (line_drawn != 0) {
        // Nothing can be done about a failure, and nothing follows.
        if (::write(STDERR_FILENO, erased_line.data(), erased_line.size()) < 0) doomed = 0;
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void watch(int signal) {
    if (std::signal(signal, remove_and_end) == SIG_IGN) std::signal(signal, SIG_IGN);
}

void watch_all() {
    for (const int signal : ending_signals) watch(signal);
}

}  // namespace

void remove_on_interruption(const std::string& path) {
    doomed = 0;
    if (path.empty() || path.size() >= sizeof doomed_path) return;
    std::memcpy(doomed_path, path.c_str(), path.size() + 1);
    doomed = 1;
    watch_all();
}

void erase_line_on_interruption(bool erase) {
    line_drawn = erase ? 1 : 0;
    if (erase) watch_all();
}

HeldSignals::HeldSignals() {
    ::sigemptyset(&held_);
    for (const int signal : ending_signals) {
        struct sigaction action {};
        ::sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN) ::sigaddset(&held_, signal);
    }
    ::sigprocmask(SIG_BLOCK, &held_, &before_);
}

HeldSignals::~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

void HeldSignals::refuse_pending(const std::string& name) const {
    sigset_t pending;
    ::sigemptyset(&pending);
    ::sigpending(&pending);
    for (const int signal : ending_signals) {
        if (::sigismember(&held_, signal) == 1 && ::sigismember(&pending, signal) == 1) {
            throw IoError(name + ": interrupted");
        }
    }
}

std::thread thread_without_signals(std::function<void()> work) {
    const HeldSignals held;
    try {
        return std::thread(std::move(work));
    } catch (const std::system_error&) {
        return {};
    }
}

}  // namespace rmsnorm::cli
