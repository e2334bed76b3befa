#include "cli/background_task.hpp"

#include <utility>

#include "cli/interruption.hpp"

namespace rmsnorm::cli {

BackgroundTask::BackgroundTask() : thread_(thread_without_signals([this] { run(); })) {}

BackgroundTask::~BackgroundTask() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void BackgroundTask::start(std::function<void()> task) {
    if (!thread_.joinable()) {
        task();
        return;
    }
    finish();
    {
        const std::lock_guard lock(mutex_);
        task_ = std::move(task);
    }
    changed_.notify_all();
}

void BackgroundTask::finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !task_; });
    if (failure_) std::rethrow_exception(failure_);
}

void BackgroundTask::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return ending_ || task_; });
        if (!task_) return;
        lock.unlock();
        std::exception_ptr failure;
        try {
            task_();
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        failure_ = failure;
        task_ = nullptr;
        changed_.notify_all();
    }
}

}  // namespace rmsnorm::cli
