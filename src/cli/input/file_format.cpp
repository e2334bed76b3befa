#include "cli/input/file_format.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "cli/error.hpp"

namespace rmsnorm::cli {
namespace {

using namespace std::string_view_literals;

struct Kind {
    std::string_view start;
    const char* name;
};

constexpr std::array other_kinds = {
    Kind{"\x1f\x8b"sv, "gzip data"},
    Kind{"\x89HDF"sv, "an HDF5 file"},
    Kind{"\x89PNG"sv, "a PNG image"},
    Kind{"\x7f"
         "ELF"sv,
         "an ELF program"},
    Kind{"%PDF"sv, "a PDF document"},
    // What torch.save wrote before it wrote archives: its magic number as a pickled integer.
    Kind{"\x80\x02\x8a\x0al\xfc\x9c"sv, "a PyTorch file (.pt: save its tensor as .npy)"},
    Kind{"\x80\x02"sv, "a Python pickle"},
    Kind{"\x80\x03"sv, "a Python pickle"},
    Kind{"\x80\x04"sv, "a Python pickle"},
    Kind{"\x80\x05"sv, "a Python pickle"},
};

constexpr std::array encodings = {
    Kind{"\xef\xbb\xbf"sv, "a UTF-8 byte-order mark"},
    Kind{"\xff\xfe\x00\x00"sv, "UTF-32 text"},
    Kind{"\x00\x00\xfe\xff"sv, "UTF-32 text"},
    Kind{"\xff\xfe"sv, "UTF-16 text"},
    Kind{"\xfe\xff"sv, "UTF-16 text"},
};

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    while (!bytes.empty()) {
        value = value << 8 | static_cast<unsigned char>(bytes.back());
        bytes.remove_suffix(1);
    }
    return value;
}

// A zip archive by the name of its first member, which stands behind the 30 bytes of its header.
const char* archive_name(std::string_view head) {
    constexpr std::size_t name_at = 30;
    const auto length =
        head.size() < name_at ? 0 : static_cast<std::size_t>(little_endian(head.substr(26, 2)));
    const std::string_view member = length == 0 ? "" : head.substr(name_at, length);
    if (member.ends_with(".npy")) {
        return "a NumPy archive (.npz: it holds .npy files, unpack one of them)";
    }
    if (member.ends_with("/data.pkl")) return "a PyTorch file (.pt: save its tensor as .npy)";
    return "a zip archive";
}

// The length of a JSON object, and the object.
bool is_safetensors(std::string_view head) {
    constexpr std::uint64_t longest = 100'000'000;
    return head.size() > 8 && head[8] == '{' && little_endian(head.substr(0, 8)) <= longest;
}

bool is_ascii(char c) { return c >= '\t' && c <= '~'; }

// UTF-16 without a mark: a NUL beside an ASCII character.
bool is_bare_utf16(std::string_view head) {
    return head.size() >= 2 &&
           ((head[0] == '\0' && is_ascii(head[1])) || (is_ascii(head[0]) && head[1] == '\0'));
}

bool is_npy(std::string_view head) { return head.starts_with('\x93'); }

// Of the numbers in JSON or in text.
FileFormat text_format(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return FileFormat::text;
    return head[first] == '[' || head[first] == '{' ? FileFormat::json : FileFormat::text;
}

// What is no text that is read, by its first bytes; "" for others.
const char* marked_encoding(std::string_view head) {
    for (const Kind& encoding : encodings) {
        if (head.starts_with(encoding.start)) return encoding.name;
    }
    return "";
}

const char* other_kind_in_words(std::string_view head) {
    if (head.starts_with("PK\x03\x04")) return archive_name(head);
    for (const Kind& kind : other_kinds) {
        if (head.starts_with(kind.start)) return kind.name;
    }
    return "";
}

}  // namespace

const char* kind_beside_safetensors(std::string_view head) {
    if (is_npy(head)) return "a .npy file";
    for (const char* name : {marked_encoding(head), other_kind_in_words(head)}) {
        if (*name != '\0') return name;
    }
    const std::string_view first = head.substr(0, sizeof(std::uint64_t));
    if (!std::all_of(first.begin(), first.end(), is_ascii)) return "";
    return text_format(head) == FileFormat::json ? "JSON" : "text";
}

FileFormat recognized_format(std::string_view origin, std::string_view head) {
    if (is_npy(head)) return FileFormat::npy;
    const auto refuse = [&](const char* found, const char* accepted) {
        throw InputError({std::string(origin), "byte 1", found, accepted});
    };
    constexpr const char* accepted =
        "a .npy file, JSON, or text with numbers separated by spaces, commas or tabs";
    constexpr const char* accepted_text = "UTF-8 text without a byte-order mark";
    if (is_safetensors(head)) refuse("a safetensors file", accepted);
    const char* encoding = is_bare_utf16(head) ? "UTF-16 text" : marked_encoding(head);
    if (*encoding != '\0') refuse(encoding, accepted_text);
    const char* other = other_kind_in_words(head);
    if (*other != '\0') refuse(other, accepted);
    if (head.find('\0') != std::string_view::npos) refuse("binary data", accepted);
    return text_format(head);
}

}  // namespace rmsnorm::cli
