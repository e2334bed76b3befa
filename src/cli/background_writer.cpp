#include "cli/background_writer.hpp"

#include <system_error>

namespace rmsnorm::cli {

BackgroundWriter::BackgroundWriter(OutputFile& file) : file_(file) {
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        return;
    }
}

BackgroundWriter::~BackgroundWriter() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void BackgroundWriter::write(std::string_view bytes) {
    if (!thread_.joinable()) {
        file_.write(bytes);
        return;
    }
    finish();
    {
        const std::lock_guard lock(mutex_);
        pending_ = bytes;
    }
    changed_.notify_all();
}

void BackgroundWriter::finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return pending_.empty(); });
    if (failure_) std::rethrow_exception(failure_);
}

void BackgroundWriter::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return ending_ || !pending_.empty(); });
        if (pending_.empty()) return;
        lock.unlock();
        std::exception_ptr failure;
        try {
            file_.write(pending_);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        failure_ = failure;
        pending_ = {};
        changed_.notify_all();
    }
}

}  // namespace rmsnorm::cli
