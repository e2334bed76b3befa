// Work that is done while the program goes on.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace rmsnorm::cli {

/// Does one task after the other in a thread of its own; where the system gives no thread, at once.
/// What a task throws comes from the next call.
class BackgroundTask {
  public:
    BackgroundTask();
    ~BackgroundTask();
    BackgroundTask(const BackgroundTask&) = delete;
    BackgroundTask& operator=(const BackgroundTask&) = delete;

    /// Waits for the task before and starts this one. What it uses must stay until the next call is
    /// done.
    void start(std::function<void()> task);

    /// Waits for the last task.
    void finish();

  private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> task_;  // being done, or to be
    bool ending_ = false;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace rmsnorm::cli
