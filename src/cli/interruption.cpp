#include "cli/interruption.hpp"

#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstring>

namespace rmsnorm::cli {
namespace {

// A signal handler may read no more than this.
char doomed_path[PATH_MAX];
volatile std::sig_atomic_t doomed = 0;

void remove_and_end(int signal) {
    if (doomed != 0) ::unlink(doomed_path);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void watch(int signal) {
    if (std::signal(signal, remove_and_end) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

void remove_on_interruption(const std::string& path) {
    doomed = 0;
    if (path.empty() || path.size() >= sizeof doomed_path) return;
    std::memcpy(doomed_path, path.c_str(), path.size() + 1);
    doomed = 1;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) watch(signal);
}

}  // namespace rmsnorm::cli
