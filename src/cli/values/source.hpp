// Opens what an option names, a list, `@FILE` or `-`, and reads values from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "cli/error.hpp"
#include "cli/values/json_values.hpp"
#include "cli/values/npy.hpp"
#include "cli/values/values.hpp"

namespace rmsnorm::cli {

/// The system did not let a file be read: missing, a directory, no permission. Not bad input.
class ReadError : public IoError {
  public:
    /// `origin` as in `Rejection`, `reason` is the system's own.
    ReadError(std::string origin, std::string reason);
    const std::string& origin() const { return origin_; }
    const std::string& reason() const { return reason_; }

  private:
    std::string origin_;
    std::string reason_;
};

/// A file or standard input, open for reading from its start to its end.
class ByteSource {
  public:
    /// Opens `path`, or standard input for `-`. Throws `ReadError`.
    ByteSource(std::string origin, const std::string& path);
    ~ByteSource();
    ByteSource(ByteSource&& other) noexcept;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    const std::string& origin() const { return origin_; }

    /// The bytes still to come when the file tells its size; pipes and terminals do not.
    std::optional<std::uint64_t> remaining() const { return remaining_; }

    /// Fills as much of `bytes` as there is; fewer only at the end. Throws `ReadError`.
    std::size_t read(std::span<char> bytes);

    /// The next bytes, at least `count` unless the end comes first, without taking them.
    std::string_view peek(std::size_t count);

    void skip(std::size_t count);  ///< Takes bytes that were peeked at.

  private:
    std::size_t read_file(std::span<char> bytes);

    std::string origin_;
    int file_ = -1;
    std::optional<std::uint64_t> remaining_;
    std::string head_;  // read, and from head_at_ on not yet taken
    std::size_t head_at_ = 0;
};

/// A .npy file read block by block, in the memory of the caller's block and one small buffer.
class NpyStream {
  public:
    /// Reads the header. Throws `ValuesError`, also when the file tells its size and that is not
    /// what the header promises, and `ReadError`.
    explicit NpyStream(ByteSource source);

    const NpyHeader& header() const { return header_; }
    const std::string& origin() const { return source_.origin(); }

    /// The next elements, in the file's own order, into `block`: as many as fit, fewer only at the
    /// end, 0 after it. Elements are finite. Throws `ValuesError` for a NaN or infinity, for an
    /// early end, and with the last element for bytes behind it; `ReadError`.
    std::size_t read_block(std::span<double> block);

  private:
    ByteSource source_;
    NpyHeader header_;
    std::size_t read_ = 0;  // elements so far
    std::string buffer_;    // bytes that are not yet native binary64
};

/// What an argument holds: the values, or a .npy file of any size that is open behind its header.
/// `option` is the name for messages (`--input`); `argument` is a list, one in brackets
/// as JSON has it, `@FILE`, or `-` for standard input. `limits` do not hold for the stream. Throws
/// `ValuesError` and `ReadError`.
std::variant<Values, NpyStream> open_values(std::string_view option, std::string_view argument,
                                            const Limits& limits = {});

/// All that the stream has, row-major. Throws `ValuesError`, before it reads when the header's
/// count is over the limit, and `ReadError`.
Values read_all(NpyStream stream, const Limits& limits = {});

/// `open_values` and, for a .npy, `read_all`.
Values read_values(std::string_view option, std::string_view argument, const Limits& limits = {});

/// The JSON object of a case in the file that `argument` names, with or without an @ before it, or
/// on standard input for `-`. Throws `ValuesError` and `ReadError`.
Case read_case(std::string_view option, const std::string& argument, const Limits& limits = {});

}  // namespace rmsnorm::cli
