#include "cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cli/error.hpp"
#include "cli/input/byte_stream.hpp"
#include "cli/interruption.hpp"
#include "cli/terminal.hpp"

namespace rmsnorm::cli {
namespace {

bool inputs_are_free = false;

[[noreturn]] void fail(const std::string& name, const std::string& action, int error) {
    throw IoError(name + ": " + action + " failed: " + std::strerror(error));
}

std::string real_path(const std::string& path) {
    char* real = ::realpath(path.c_str(), nullptr);
    if (real == nullptr) return "";
    std::string result = real;
    std::free(real);
    return result;
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// `path` with links followed; a link to a file that is not there yet leads to that file.
std::string resolved(std::string path) {
    constexpr int most_links = 40;
    for (int link = 0; link < most_links; ++link) {
        if (std::string real = real_path(path); !real.empty()) return real;
        std::array<char, PATH_MAX> target{};
        const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
        if (size < 0) break;
        const std::string next(target.data(), static_cast<std::size_t>(size));
        path = next.rfind('/', 0) == 0 ? next : folder_of(path) + next;
    }
    return path;
}

// The mode of a new file: all may read and write, less what the user masks.
mode_t new_file_mode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

}  // namespace

bool is_temporary_name(std::string_view name) {
    return name.size() == temporary_name.size() &&
           name.starts_with(temporary_name.substr(0, temporary_name.find('X')));
}

void write_all(int descriptor, std::string_view bytes, const std::string& name) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            if (errno == EPIPE && descriptor == STDOUT_FILENO) throw ReaderGone(name);
            fail(name, "writing", errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void allow_overwritten_inputs() { inputs_are_free = true; }

OutputFile::OutputFile(const std::string& path, std::string name, Overwritten overwritten)
    : name_(std::move(name)), path_(path) {
    if (overwritten == Overwritten::no_input && !inputs_are_free && was_input(path)) {
        throw InputError(name_ +
                         ": found an input of this run; accepted: another file, or --force "
                         "to write over it");
    }
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) fail(name_, "opening for writing", errno);
    if (exists && S_ISDIR(status.st_mode)) {
        throw IoError(name_ + ": is a folder; accepted: a file, or - for standard output");
    }
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) fail(name_, "opening for writing", errno);
        return;
    }
    path_ = resolved(path);
    if (exists && ::access(path_.c_str(), W_OK) != 0) fail(name_, "opening for writing", errno);
    temporary_ = folder_of(path_) + std::string(temporary_name);
    const HeldSignals until_it_is_known;
    descriptor_ = ::mkstemp(temporary_.data());
    if (descriptor_ < 0) {
        const int error = errno;
        temporary_.clear();
        const std::string folder = folder_of(path_);
        throw IoError(name_ + ": making a file in the folder " + (folder.empty() ? "." : folder) +
                      " failed: " + std::strerror(error) +
                      "; accepted: a folder that is there and may be written");
    }
    remove_on_interruption(temporary_);
    // Only the superuser can give the new file to the old one's owner, and only they need to. The
    // owner first: changing it clears bits of the mode.
    if (exists && ::fchown(descriptor_, status.st_uid, status.st_gid) != 0) errno = 0;
    ::fchmod(descriptor_, exists ? status.st_mode & 07777 : new_file_mode());
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (temporary_.empty()) return;
    ::unlink(temporary_.c_str());
    remove_on_interruption("");
}

void OutputFile::write(std::string_view bytes) { write_all(descriptor_, bytes, name_); }

void OutputFile::commit() {
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(name_, "writing", errno);
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(name_, "renaming into", errno);
    temporary_.clear();
    remove_on_interruption("");
}

void write_output(const std::string& path, std::string_view bytes) {
    if (path == "-") {
        write_all(STDOUT_FILENO, bytes, "standard output");
        return;
    }
    OutputFile file(path, output_name(path));
    file.write(bytes);
    file.commit();
}

void write_file(const std::string& path, std::string_view bytes, const std::string& name,
                Overwritten overwritten) {
    OutputFile file(path, name, overwritten);
    file.write(bytes);
    file.commit();
}

std::string output_name(const std::string& path) { return "--output " + path; }

void print_error(const std::string& message) {
    try {
        write_all(
            STDERR_FILENO,
            styled(Stream::error, Style::red, "rmsnorm-fixture:") + " " + printable(message) + "\n",
            "standard error");
    } catch (const IoError&) {
        return;
    }
}

}  // namespace rmsnorm::cli
