// Bytes of a file or of standard input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace rmsnorm::cli {

/// A file or standard input, open for reading from its start to its end. The first end that the
/// system tells is the end: a terminal is not asked again. Every function throws IoError when the
/// system does not let it read; messages call the stream `origin`.
class ByteStream {
  public:
    /// Opens `path`, or standard input for `-`.
    ByteStream(std::string origin, const std::string& path);

    /// Bytes that are there already.
    static ByteStream holding(std::string origin, std::string bytes);

    ~ByteStream();
    ByteStream(ByteStream&& other) noexcept;
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;

    const std::string& origin() const { return origin_; }

    /// The bytes still to come when the file tells its size; pipes and terminals do not.
    std::optional<std::uint64_t> remaining() const { return remaining_; }

    /// Fills as much of `bytes` as there is; fewer only at the end.
    std::size_t read(std::span<char> bytes);

    /// The next bytes, fewer than `most` only at the end.
    std::string take(std::size_t most);

    /// The next bytes, at least `count` unless the end comes first, without taking them.
    std::string_view peek(std::size_t count);

    /// What the system calls the open file.
    int descriptor() const { return file_; }

    void skip(std::size_t count);  ///< Takes bytes that were peeked at.

    /// The next line without its end, "\n" or "\r\n", as soon as it is there; nothing at the end.
    /// Throws InputError for a line of more than `longest` bytes.
    std::optional<std::string> line(std::size_t longest);

  private:
    explicit ByteStream(std::string origin) : origin_(std::move(origin)) {}
    std::size_t read_some(std::span<char> bytes);
    [[noreturn]] void fail(int error) const;

    std::string origin_;
    int file_ = -1;
    bool ended_ = false;
    std::optional<std::uint64_t> remaining_;
    std::string head_;  // read, and from head_at_ on not yet taken
    std::size_t head_at_ = 0;
};

/// Whether the file at `path`, links followed, is one that the run has read.
bool was_input(const std::string& path);

/// The bytes of a file; `-` is standard input. Throws IoError, and InputError when there are more
/// than `most` bytes, without reading them all.
std::string read_file(const std::string& path, std::size_t most);

/// The first bytes of a file, at most `count`. Throws IoError.
std::string read_start(const std::string& path, std::size_t count);

}  // namespace rmsnorm::cli
