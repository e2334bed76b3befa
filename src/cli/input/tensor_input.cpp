#include "cli/input/tensor_input.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/input/file_format.hpp"
#include "cli/input/tensor_json.hpp"
#include "cli/input/text.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t head_size = 4096;
constexpr std::size_t piece_size = std::size_t{1} << 16;

bool is_list(std::string_view argument) { return !argument.starts_with('@') && argument != "-"; }

// The path in `argument`, with or without the @. A file may be called "-": only the bare argument
// is standard input.
std::string path_in(std::string_view option, std::string_view argument) {
    const bool marked = argument.starts_with('@');
    const std::string path(argument.substr(marked ? 1 : 0));
    if (path.empty()) {
        throw InputError({origin_of(option, argument), "", "no file name",
                          marked ? "@ and a file name" : "a file name, or - for standard input"});
    }
    return marked && path == "-" ? "./-" : path;
}

FileFormat format_of(ByteStream& stream, const std::string& accepted) {
    const std::string_view head = stream.peek(head_size);
    if (head.empty()) throw InputError({stream.origin(), "", "no bytes at all", accepted});
    return recognized_format(stream.origin(), head);
}

tensor::Tensor read_text(ByteStream stream, const Limits& limits) {
    TextReader reader(stream.origin(), limits);
    std::vector<char> piece(piece_size);
    while (const std::size_t count = stream.read(piece)) reader.feed({piece.data(), count});
    return reader.finish();
}

JsonLimits json_limits(const std::string& accepted, std::size_t tensors, const Limits& limits) {
    constexpr std::uint64_t others = 1024;  // shapes, words, single numbers
    constexpr std::uint64_t spellings = 3;  // the value, its display, its bits
    return {accepted, std::uint64_t{limits.max_elements} * tensors * spellings + others,
            limit_hint(limits)};
}

// A text that is sure to break the limits is refused while it comes in: nearly every comma stands
// between two values, and 64 bytes a value leave room for generous indentation.
JsonNode read_json(ByteStream stream, const JsonLimits& limits) {
    constexpr std::uint64_t other_commas = 1024;  // behind arrays and objects
    const std::uint64_t most_bytes = limits.most_values * 64 + piece_size;
    const auto refuse = [&](std::uint64_t most, const char* what) {
        throw InputError({stream.origin(), "", "more than " + std::to_string(most) + what,
                          "JSON of at most " + std::to_string(limits.most_values) +
                              " values, 64 bytes each" + limits.hint});
    };
    std::string text;
    if (stream.remaining()) {
        if (*stream.remaining() > most_bytes) refuse(most_bytes, " bytes");
        text.reserve(static_cast<std::size_t>(*stream.remaining()));
    }
    std::uint64_t commas = 0;
    std::vector<char> piece(piece_size);
    while (const std::size_t count = stream.read(piece)) {
        const auto end = piece.begin() + static_cast<std::ptrdiff_t>(count);
        commas += static_cast<std::uint64_t>(std::count(piece.begin(), end, ','));
        text.append(piece.begin(), end);
        if (commas > limits.most_values + other_commas) refuse(limits.most_values, " values");
        if (text.size() > most_bytes) refuse(most_bytes, " bytes");
    }
    return parse_json(stream.origin(), text, limits);
}

bool is_json(std::string_view list) {
    const std::size_t first = list.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (list[first] == '[' || list[first] == '{');
}

// A list that is the name of a file wants an @ before it.
void require_no_file(std::string_view option, std::string_view argument) {
    const std::string path(argument);
    struct stat status {};
    const bool numbers = path.find_first_not_of("0123456789+-.eE, \t") == std::string::npos;
    if (numbers || ::stat(path.c_str(), &status) != 0) return;
    throw InputError({std::string(option), "", quoted(path) + ", which is the name of a file",
                      "@ before the name of a file, or numbers such as 3,4"});
}

tensor::Tensor read_list(std::string_view option, std::string_view argument, const Limits& limits) {
    if (!is_json(argument)) {
        require_no_file(option, argument);
        return parse_list(option, argument, limits);
    }
    return tensor_of(
        parse_json(std::string(option), argument, json_limits(accepted_tensor, 1, limits)), limits);
}

}  // namespace

std::string origin_of(std::string_view option, std::string_view argument) {
    return is_list(argument) ? std::string(option)
                             : std::string(option) + ' ' + std::string(argument);
}

tensor::Tensor read_tensor(std::string_view option, std::string_view argument,
                           const Limits& limits) {
    std::variant<tensor::Tensor, NpyStream> opened = open_tensor(option, argument, limits);
    if (auto* const values = std::get_if<tensor::Tensor>(&opened)) return std::move(*values);
    return read_all(std::get<NpyStream>(std::move(opened)), limits);
}

std::variant<tensor::Tensor, NpyStream> open_tensor(std::string_view option,
                                                    std::string_view argument,
                                                    const Limits& limits) {
    if (is_list(argument)) return read_list(option, argument, limits);
    ByteStream stream(origin_of(option, argument), path_in(option, argument));
    switch (format_of(stream, "a .npy file, JSON, or text")) {
        case FileFormat::npy: return NpyStream(std::move(stream));
        case FileFormat::json:
            return tensor_of(read_json(std::move(stream), json_limits(accepted_tensor, 1, limits)),
                             limits);
        case FileFormat::text: break;
    }
    return read_text(std::move(stream), limits);
}

JsonNode read_json(std::string_view option, std::string_view argument, const std::string& accepted,
                   std::size_t tensors, const Limits& limits) {
    const std::string path = path_in(option, argument);
    ByteStream stream(std::string(option) + ' ' + std::string(argument), path);
    const FileFormat format = format_of(stream, accepted);
    if (format != FileFormat::json) {
        throw InputError({stream.origin(), "byte 1",
                          format == FileFormat::npy ? "a .npy file" : "no JSON object or array",
                          accepted});
    }
    return read_json(std::move(stream), json_limits(accepted, tensors, limits));
}

}  // namespace rmsnorm::cli
