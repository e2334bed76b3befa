#include "cli/input/byte_stream.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/error.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 16;

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

using FileId = std::pair<dev_t, ino_t>;

std::vector<FileId>& inputs() {
    static std::vector<FileId> all;
    return all;
}

}  // namespace

ByteStream::ByteStream(std::string origin, const std::string& path) : origin_(std::move(origin)) {
    if (path == "-") {
        file_ = STDIN_FILENO;
    } else {
        do {
            file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        } while (file_ < 0 && errno == EINTR);
        if (file_ < 0) fail(errno);
    }
    struct stat status {};
    if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) {
        inputs().emplace_back(status.st_dev, status.st_ino);
        // Standard input may be a file of which somebody has read a part.
        const off_t at = ::lseek(file_, 0, SEEK_CUR);
        // Files of the kernel call themselves empty and are not.
        if (at >= 0 && status.st_size > 0) {
            remaining_ = static_cast<std::uint64_t>(std::max(status.st_size - at, off_t{0}));
        }
    }
}

ByteStream ByteStream::holding(std::string origin, std::string bytes) {
    ByteStream stream(std::move(origin));
    stream.remaining_ = bytes.size();
    stream.head_ = std::move(bytes);
    stream.ended_ = true;
    return stream;
}

ByteStream::~ByteStream() {
    if (file_ > STDIN_FILENO) ::close(file_);
}

ByteStream::ByteStream(ByteStream&& other) noexcept
    : origin_(std::move(other.origin_)),
      file_(std::exchange(other.file_, -1)),
      ended_(other.ended_),
      remaining_(other.remaining_),
      head_(std::move(other.head_)),
      head_at_(other.head_at_) {}

std::size_t ByteStream::read(std::span<char> bytes) {
    std::size_t count = std::min(head_.size() - head_at_, bytes.size());
    std::copy_n(head_.data() + head_at_, count, bytes.data());
    head_at_ += count;
    while (count < bytes.size() && !ended_) count += read_some(bytes.subspan(count));
    if (remaining_) *remaining_ -= std::min<std::uint64_t>(*remaining_, count);
    return count;
}

std::string ByteStream::take(std::size_t most) {
    std::string bytes;
    while (bytes.size() < most) {
        const std::size_t ready = bytes.size();
        const std::size_t wanted = std::min(piece_size, most - ready);
        bytes.resize(ready + wanted);
        const std::size_t got = read(std::span(bytes).subspan(ready));
        bytes.resize(ready + got);
        if (got < wanted) break;
    }
    return bytes;
}

std::string_view ByteStream::peek(std::size_t count) {
    head_.erase(0, std::exchange(head_at_, 0));
    while (head_.size() < count && !ended_) {
        const std::size_t ready = head_.size();
        head_.resize(count);
        head_.resize(ready + read_some(std::span(head_).subspan(ready)));
    }
    return head_;
}

void ByteStream::skip(std::size_t count) {
    head_at_ += count;
    if (remaining_) *remaining_ -= std::min<std::uint64_t>(*remaining_, count);
}

std::optional<std::string> ByteStream::line(std::size_t longest) {
    head_.erase(0, std::exchange(head_at_, 0));
    std::size_t end = 0;
    while ((end = head_.find('\n')) == std::string::npos && !ended_) {
        if (head_.size() > longest) {
            throw InputError({origin_, "",
                              "a line of more than " + std::to_string(longest) + " bytes",
                              "lines of at most as many"});
        }
        const std::size_t ready = head_.size();
        head_.resize(ready + longest / 16);
        head_.resize(ready + read_some(std::span(head_).subspan(ready)));
    }
    if (end == std::string::npos && head_.empty()) return std::nullopt;
    std::string text = head_.substr(0, end);
    skip(std::min(text.size() + 1, head_.size()));
    if (end != std::string::npos && text.ends_with('\r')) text.pop_back();
    return text;
}

// One call of the system; nothing at the end.
std::size_t ByteStream::read_some(std::span<char> bytes) {
    ssize_t got = 0;
    do {
        got = ::read(file_, bytes.data(), bytes.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) fail(errno);
    ended_ = got == 0;
    return static_cast<std::size_t>(got);
}

void ByteStream::fail(int error) const {
    throw IoError(printable(origin_) + ": cannot read: " + std::generic_category().message(error) +
                  "; accepted: a readable file");
}

bool was_input(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return false;
    const FileId id{status.st_dev, status.st_ino};
    return std::find(inputs().begin(), inputs().end(), id) != inputs().end();
}

std::string read_file(const std::string& path, std::size_t most) {
    std::string bytes = read_start(path, most + 1);
    if (bytes.size() > most) {
        throw InputError(
            {name_of(path), "", "more than " + std::to_string(most) + " bytes", "at most as many"});
    }
    return bytes;
}

std::string read_start(const std::string& path, std::size_t count) {
    return ByteStream(name_of(path), path).take(count);
}

}  // namespace rmsnorm::cli
