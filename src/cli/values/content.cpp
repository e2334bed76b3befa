#include "cli/values/content.hpp"

#include <array>
#include <string>

#include "cli/values/values.hpp"

namespace rmsnorm::cli {
namespace {

using namespace std::string_view_literals;

struct Kind {
    std::string_view start;
    const char* name;
};

constexpr std::array other_kinds = {
    Kind{"PK\x03\x04"sv, "a zip archive (a .npz holds .npy files: unpack one)"},
    Kind{"\x1f\x8b"sv, "gzip data"},
    Kind{"\x89HDF"sv, "an HDF5 file"},
    Kind{"\x89PNG"sv, "a PNG image"},
    Kind{"\x7f"
         "ELF"sv,
         "an ELF program"},
    Kind{"%PDF"sv, "a PDF document"},
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

[[noreturn]] void refuse(std::string_view origin, const char* found, const char* accepted) {
    throw ValuesError({std::string(origin), "byte 1", found, accepted});
}

// UTF-16 without a mark: a NUL beside an ASCII character.
bool is_bare_utf16(std::string_view head) {
    const auto is_ascii = [](char c) { return c >= '\t' && c <= '~'; };
    return head.size() >= 2 &&
           ((head[0] == '\0' && is_ascii(head[1])) || (is_ascii(head[0]) && head[1] == '\0'));
}

}  // namespace

Content recognise(std::string_view origin, std::string_view head) {
    if (head.starts_with('\x93')) return Content::npy;
    refuse_other_encodings(origin, head);
    constexpr const char* accepted =
        "a .npy file, JSON, or text with numbers separated by spaces, commas or tabs";
    for (const Kind& kind : other_kinds) {
        if (head.starts_with(kind.start)) refuse(origin, kind.name, accepted);
    }
    if (head.find('\0') != std::string_view::npos) refuse(origin, "binary data", accepted);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return Content::text;
    return head[first] == '[' || head[first] == '{' ? Content::json : Content::text;
}

void refuse_other_encodings(std::string_view origin, std::string_view head) {
    constexpr const char* accepted = "UTF-8 text without a byte-order mark";
    for (const Kind& encoding : encodings) {
        if (head.starts_with(encoding.start)) refuse(origin, encoding.name, accepted);
    }
    if (is_bare_utf16(head)) refuse(origin, "UTF-16 text", accepted);
}

}  // namespace rmsnorm::cli
