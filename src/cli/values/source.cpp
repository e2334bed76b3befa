#include "cli/values/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/values/content.hpp"
#include "cli/values/list_values.hpp"
#include "cli/values/text_values.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t head_size = 4096;
constexpr std::size_t piece_size = std::size_t{1} << 16;

std::string error_text(int error) { return std::generic_category().message(error); }

void require_content(const ByteSource& source, std::string_view head, const char* accepted) {
    if (head.empty()) throw ValuesError({source.origin(), "", "no bytes at all", accepted});
}

Values read_text(ByteSource& source, const Limits& limits) {
    TextReader reader(source.origin(), limits);
    std::vector<char> piece(piece_size);
    while (const std::size_t count = source.read(piece)) reader.feed({piece.data(), count});
    return reader.finish();
}

// The whole of a JSON text of at most `arrays` arrays within the limits. A text that is sure to
// break them is refused while it comes in: all but a few commas stand between two numbers, and 64
// bytes a number leave room for generous indentation.
std::string read_json(ByteSource& source, const Limits& limits, std::size_t arrays) {
    constexpr std::uint64_t other_commas = 2 * max_rank;
    const std::uint64_t most_commas = std::uint64_t{limits.max_elements} * arrays + other_commas;
    const std::uint64_t most_bytes = most_commas * 64 + piece_size;
    std::string text;
    std::uint64_t commas = 0;
    const auto require_size = [&](std::uint64_t bytes) {
        if (bytes <= most_bytes) return;
        throw ValuesError({source.origin(), "",
                           "more than " + std::to_string(most_bytes) + " bytes",
                           "JSON of at most " + std::to_string(limits.max_elements) +
                               " values, 64 bytes each" + limit_hint(limits)});
    };
    if (source.remaining()) {
        require_size(*source.remaining());
        text.reserve(static_cast<std::size_t>(*source.remaining()));
    }
    std::vector<char> piece(piece_size);
    while (const std::size_t count = source.read(piece)) {
        commas += static_cast<std::uint64_t>(
            std::count(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count), ','));
        if (commas > most_commas) refuse_count(source.origin(), "", limits);
        text.append(piece.data(), count);
        require_size(text.size());
    }
    return text;
}

std::string origin_of(std::string_view option, std::string_view argument) {
    return std::string(option) + ' ' + std::string(argument);
}

bool is_bracketed(std::string_view list) {
    const std::size_t first = list.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && list[first] == '[';
}

// The path in `argument`, with or without the @. A file may be called "-": only the bare argument
// is standard input.
std::string path_in(std::string_view option, std::string_view argument) {
    const bool marked = argument.starts_with('@');
    const std::string path(argument.substr(marked ? 1 : 0));
    if (path.empty()) {
        throw ValuesError({marked ? origin_of(option, argument) : std::string(option), "",
                           "no file name",
                           marked ? "@ and a file name" : "a file name, or - for standard input"});
    }
    return marked && path == "-" ? "./-" : path;
}

}  // namespace

ReadError::ReadError(std::string origin, std::string reason)
    : IoError(printable(origin) + ": cannot read: " + reason + "; accepted: a readable file"),
      origin_(std::move(origin)),
      reason_(std::move(reason)) {}

ByteSource::ByteSource(std::string origin, const std::string& path) : origin_(std::move(origin)) {
    if (path == "-") {
        file_ = STDIN_FILENO;
    } else {
        do {
            file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        } while (file_ < 0 && errno == EINTR);
        if (file_ < 0) throw ReadError(origin_, error_text(errno));
    }
    struct stat status {};
    if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) {
        // Standard input may be a file of which somebody has read a part.
        const off_t at = ::lseek(file_, 0, SEEK_CUR);
        // Files of the kernel call themselves empty and are not.
        if (at >= 0 && status.st_size > 0) {
            remaining_ = static_cast<std::uint64_t>(std::max(status.st_size - at, off_t{0}));
        }
    }
}

ByteSource::~ByteSource() {
    if (file_ > STDIN_FILENO) ::close(file_);
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : origin_(std::move(other.origin_)),
      file_(std::exchange(other.file_, -1)),
      remaining_(other.remaining_),
      head_(std::move(other.head_)),
      head_at_(other.head_at_) {}

std::size_t ByteSource::read(std::span<char> bytes) {
    const std::size_t ready = std::min(head_.size() - head_at_, bytes.size());
    std::copy_n(head_.data() + head_at_, ready, bytes.data());
    skip(ready);
    const std::size_t count = ready + read_file(bytes.subspan(ready));
    return count;
}

std::string_view ByteSource::peek(std::size_t count) {
    if (head_.size() - head_at_ < count) {
        head_.erase(0, head_at_);
        head_at_ = 0;
        const std::size_t ready = head_.size();
        head_.resize(count);
        const std::optional<std::uint64_t> remaining = remaining_;
        head_.resize(ready + read_file(std::span(head_).subspan(ready)));
        remaining_ = remaining;
    }
    return std::string_view(head_).substr(head_at_);
}

void ByteSource::skip(std::size_t count) {
    head_at_ += count;
    if (remaining_) *remaining_ -= std::min<std::uint64_t>(*remaining_, count);
}

std::size_t ByteSource::read_file(std::span<char> bytes) {
    std::size_t count = 0;
    while (count < bytes.size()) {
        const ssize_t got = ::read(file_, bytes.data() + count, bytes.size() - count);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw ReadError(origin_, error_text(errno));
        if (got == 0) break;
        count += static_cast<std::size_t>(got);
    }
    if (remaining_) *remaining_ -= std::min<std::uint64_t>(*remaining_, count);
    return count;
}

NpyStream::NpyStream(ByteSource source) : source_(std::move(source)) {
    const std::size_t offset = npy_data_offset(origin(), source_.peek(npy_preamble_size));
    header_ = parse_npy_header(origin(), source_.peek(offset));
    source_.skip(offset);
    if (source_.remaining()) {
        const std::uint64_t bytes = *source_.remaining();
        const std::uint64_t size = element_size(header_.type);
        if (bytes / size < header_.elements) {
            refuse_truncated(origin(), header_, static_cast<std::size_t>(bytes / size));
        }
        if (bytes > header_.elements * size) refuse_trailing(origin(), header_);
    }
}

std::size_t NpyStream::read_block(std::span<double> block) {
    const std::size_t count = std::min(block.size(), header_.elements - read_);
    const std::size_t size = element_size(header_.type);
    const std::span<double> elements = block.first(count);
    const auto require = [&](std::size_t bytes, std::size_t wanted, std::size_t before) {
        if (bytes < wanted) refuse_truncated(origin(), header_, read_ + before + bytes / size);
    };
    if (header_.type == NpyType::binary64 && header_.byte_order == std::endian::native) {
        // The caller's memory takes the bytes as they are.
        const std::span<char> bytes(reinterpret_cast<char*>(elements.data()),
                                    elements.size_bytes());
        require(source_.read(bytes), bytes.size(), 0);
    } else {
        buffer_.resize(piece_size);
        for (std::size_t done = 0; done < count;) {
            const std::size_t part = std::min(count - done, piece_size / size);
            const std::span<char> bytes = std::span(buffer_).first(part * size);
            require(source_.read(bytes), bytes.size(), done);
            decode_npy(header_, {bytes.data(), bytes.size()}, elements.subspan(done, part));
            done += part;
        }
    }
    const std::size_t bad = first_non_finite(elements);
    if (bad < count) refuse_non_finite(origin(), header_, read_ + bad, elements[bad]);
    read_ += count;
    if (read_ == header_.elements && !source_.peek(1).empty()) refuse_trailing(origin(), header_);
    return count;
}

std::variant<Values, NpyStream> open_values(std::string_view option, std::string_view argument,
                                            const Limits& limits) {
    const bool is_file = argument.starts_with('@');
    if (!is_file && argument != "-") {
        return is_bracketed(argument) ? parse_json(option, argument, limits)
                                      : parse_list(option, argument, limits);
    }
    ByteSource source(origin_of(option, argument), path_in(option, argument));
    const std::string_view head = source.peek(head_size);
    require_content(source, head, "a .npy file, JSON, or text");
    switch (recognise(source.origin(), head)) {
        case Content::npy: return NpyStream(std::move(source));
        case Content::json:
            return parse_json(source.origin(), read_json(source, limits, 1), limits);
        case Content::text: break;
    }
    return read_text(source, limits);
}

Values read_all(NpyStream stream, const Limits& limits) {
    const NpyHeader header = stream.header();
    require_within(stream.origin(), header, limits);
    Values values{header.shape, {}};
    // A pipe may promise more than it has: memory grows with what has come.
    constexpr std::size_t block = std::size_t{1} << 17;
    while (true) {
        const std::size_t before = values.elements.size();
        const std::size_t wanted = std::min(block, header.elements - before);
        values.elements.resize(before + wanted);
        stream.read_block(std::span(values.elements).subspan(before));
        if (before + wanted == header.elements) break;
    }
    if (!is_row_major(header)) values.elements = row_major(values.elements, values.shape);
    return values;
}

Values read_values(std::string_view option, std::string_view argument, const Limits& limits) {
    std::variant<Values, NpyStream> opened = open_values(option, argument, limits);
    if (Values* const values = std::get_if<Values>(&opened)) return std::move(*values);
    return read_all(std::get<NpyStream>(std::move(opened)), limits);
}

Case read_case(std::string_view option, const std::string& argument, const Limits& limits) {
    ByteSource source(origin_of(option, argument), path_in(option, argument));
    require_content(source, source.peek(1), "a case as a JSON object");
    constexpr std::size_t arrays = 3;
    return parse_case(source.origin(), read_json(source, limits, arrays), limits);
}

}  // namespace rmsnorm::cli
