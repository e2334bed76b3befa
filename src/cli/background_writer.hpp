// Bytes written to a file while the program goes on.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>

#include "cli/output.hpp"

namespace rmsnorm::cli {

/// Writes to `file`, which stays with the caller, in a thread of its own; where the system gives no
/// thread, at once. What a write throws comes from the next call.
class BackgroundWriter {
  public:
    explicit BackgroundWriter(OutputFile& file);
    ~BackgroundWriter();
    BackgroundWriter(const BackgroundWriter&) = delete;
    BackgroundWriter& operator=(const BackgroundWriter&) = delete;

    /// Waits for the bytes before to be written. These must stay until the next call is done.
    void write(std::string_view bytes);

    /// Waits for the last bytes.
    void finish();

  private:
    void run();

    OutputFile& file_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string_view pending_;  // being written, or to be
    bool ending_ = false;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace rmsnorm::cli
