#include "cli/input/npy_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include "evidence/number_text.hpp"

namespace rmsnorm::cli {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view magic = "\x93NUMPY"sv;
constexpr std::size_t longest_header = 65536;

static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);

std::size_t byte_at(std::string_view bytes, std::size_t place) {
    return static_cast<unsigned char>(bytes[place]);
}

// Reads the header's text, a Python dictionary, from left to right.
class HeaderReader {
  public:
    HeaderReader(std::string_view origin, std::string_view bytes, std::size_t begin,
                 std::size_t end, const char* accepted_types)
        : origin_(origin),
          bytes_(bytes.substr(0, end)),
          accepted_types_(accepted_types),
          at_(begin) {}

    void read(NpyHeader& header);

  private:
    void read_descr(NpyHeader& header);
    void read_shape(NpyHeader& header);
    std::size_t read_axis();
    bool read_bool();
    std::string_view read_string();
    bool take(char byte);
    void expect(char byte, const char* accepted);
    void skip_spaces();
    [[noreturn]] void refuse_here(const char* accepted) const;
    [[noreturn]] void refuse_at(std::size_t at, std::string found, const char* accepted) const;

    std::string_view origin_;
    std::string_view bytes_;
    const char* accepted_types_;
    std::size_t at_;
};

void HeaderReader::read(NpyHeader& header) {
    constexpr const char* accepted = "the keys 'descr', 'fortran_order' and 'shape', each once";
    constexpr std::array keys = {"descr"sv, "fortran_order"sv, "shape"sv};
    std::array<bool, keys.size()> given{};
    expect('{', "a dictionary as numpy writes it");
    while (!take('}')) {
        const std::size_t start = at_;
        const std::string_view name = read_string();
        const auto key = std::find(keys.begin(), keys.end(), name);
        if (key == keys.end() || given[static_cast<std::size_t>(key - keys.begin())]) {
            refuse_at(start, "the key " + quoted(name), accepted);
        }
        given[static_cast<std::size_t>(key - keys.begin())] = true;
        expect(':', "a colon after the key");
        if (name == "descr") read_descr(header);
        if (name == "fortran_order") header.fortran_order = read_bool();
        if (name == "shape") read_shape(header);
        if (take(',')) continue;
        expect('}', "a comma or the closing brace");
        break;
    }
    if (!given[0] || !given[1] || !given[2]) {
        refuse_at(at_, "a dictionary without one of its keys", accepted);
    }
    skip_spaces();
    if (at_ != bytes_.size()) refuse_here("spaces and a line end after the dictionary");
}

void HeaderReader::read_descr(NpyHeader& header) {
    skip_spaces();
    if (at_ < bytes_.size() && bytes_[at_] == '[') {
        refuse_at(at_, "a structured type", accepted_types_);
    }
    const std::size_t start = at_;
    const std::string_view name = read_string();
    std::string_view type = name;
    header.byte_order = std::endian::native;
    if (!type.empty() && "<>=|"sv.find(type[0]) != std::string_view::npos) {
        if (type[0] == '<') header.byte_order = std::endian::little;
        if (type[0] == '>') header.byte_order = std::endian::big;
        type.remove_prefix(1);
    }
    constexpr std::array types = {
        std::pair{"f2"sv, NpyKind::floating}, std::pair{"f4"sv, NpyKind::floating},
        std::pair{"f8"sv, NpyKind::floating}, std::pair{"b1"sv, NpyKind::boolean},
        std::pair{"i1"sv, NpyKind::whole},    std::pair{"i2"sv, NpyKind::whole},
        std::pair{"i4"sv, NpyKind::whole},    std::pair{"i8"sv, NpyKind::whole},
        std::pair{"u1"sv, NpyKind::natural},  std::pair{"u2"sv, NpyKind::natural},
        std::pair{"u4"sv, NpyKind::natural},  std::pair{"u8"sv, NpyKind::natural}};
    const auto found = std::find_if(types.begin(), types.end(),
                                    [&](const auto& known) { return known.first == type; });
    if (found == types.end()) {
        const bool pickled = type.starts_with('O');
        refuse_at(start, (pickled ? "pickled objects, type " : "the type ") + quoted(name),
                  accepted_types_);
    }
    header.kind = found->second;
    header.element_size = static_cast<std::size_t>(type[1] - '0');
}

void HeaderReader::read_shape(NpyHeader& header) {
    expect('(', "a tuple such as (2, 3)");
    const std::size_t start = at_;
    bool comma = true;
    while (!take(')')) {
        if (!comma) refuse_here("a comma or a closing parenthesis");
        header.shape.push_back(read_axis());
        if (header.shape.size() > max_rank) {
            refuse_at(start, "more than 64 axes", "at most 64 axes");
        }
        comma = take(',');
    }
    // One number in parentheses is no tuple.
    if (header.shape.size() == 1 && !comma) refuse_at(at_ - 1, "\")\"", "a comma after one axis");
    const auto product = product_of_axes(header.shape);
    if (!product) {
        refuse_at(start, "the shape " + tensor::to_text(header.shape),
                  "a shape whose product can be counted");
    }
    const bool empty = std::count(header.shape.begin(), header.shape.end(), 0U) > 0;
    header.elements = empty ? 0 : *product;
}

std::size_t HeaderReader::read_axis() {
    constexpr const char* accepted = "a whole number, such as 8";
    skip_spaces();
    std::size_t end = at_;
    while (end < bytes_.size() && bytes_[end] >= '0' && bytes_[end] <= '9') ++end;
    const std::string_view digits = bytes_.substr(at_, end - at_);
    if (digits.empty()) refuse_here(accepted);
    if (digits.size() > 1 && digits[0] == '0') refuse_at(at_, quoted(digits), accepted);
    std::size_t axis = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), axis);
    if (read.ec != std::errc{}) {
        refuse_at(at_, quoted(digits), "an axis that can be counted");
    }
    // Python 2 wrote long integers with their mark.
    at_ = end + (end < bytes_.size() && bytes_[end] == 'L' ? 1 : 0);
    return axis;
}

bool HeaderReader::read_bool() {
    skip_spaces();
    for (const auto& [name, value] : {std::pair{"True"sv, true}, std::pair{"False"sv, false}}) {
        if (bytes_.substr(at_).starts_with(name)) {
            at_ += name.size();
            return value;
        }
    }
    refuse_here("True or False");
}

std::string_view HeaderReader::read_string() {
    constexpr const char* accepted = "a string in quotes, without escapes";
    skip_spaces();
    if (at_ == bytes_.size() || (bytes_[at_] != '\'' && bytes_[at_] != '"')) refuse_here(accepted);
    const std::size_t end = bytes_.find(bytes_[at_], at_ + 1);
    if (end == std::string_view::npos) refuse_here(accepted);
    const std::string_view text = bytes_.substr(at_ + 1, end - at_ - 1);
    if (text.find('\\') != std::string_view::npos) refuse_here(accepted);
    at_ = end + 1;
    return text;
}

// Steps over `byte` when it comes next, after any spaces.
bool HeaderReader::take(char byte) {
    skip_spaces();
    if (at_ == bytes_.size() || bytes_[at_] != byte) return false;
    ++at_;
    return true;
}

void HeaderReader::expect(char byte, const char* accepted) {
    if (!take(byte)) refuse_here(accepted);
}

void HeaderReader::skip_spaces() {
    at_ = std::min(bytes_.find_first_not_of(" \t\r\n", at_), bytes_.size());
}

void HeaderReader::refuse_here(const char* accepted) const {
    if (at_ == bytes_.size()) refuse_at(at_, "the end of the header", accepted);
    std::size_t end = std::min(bytes_.find_first_of(" ,:(){}[]\n", at_ + 1), bytes_.size());
    refuse_at(at_, quoted(bytes_.substr(at_, end - at_)), accepted);
}

void HeaderReader::refuse_at(std::size_t at, std::string found, const char* accepted) const {
    refuse(origin_, "header, byte " + std::to_string(at + 1), std::move(found), accepted);
}

std::string tuple_text(std::span<const std::size_t> shape) {
    std::string text = "(";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (axis > 0) text += ", ";
        text += std::to_string(shape[axis]);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace

bool is_row_major(const NpyHeader& header) {
    const auto long_axes = std::count_if(header.shape.begin(), header.shape.end(),
                                         [](std::size_t axis) { return axis > 1; });
    return !header.fortran_order || long_axes <= 1;
}

std::size_t npy_data_offset(std::string_view origin, std::string_view bytes) {
    if (bytes.substr(0, magic.size()) != magic.substr(0, bytes.size())) {
        refuse(origin, "byte 1", quoted(bytes.substr(0, magic.size())),
               "numpy's magic " + quoted(magic));
    }
    const auto require = [&](std::size_t size) {
        if (bytes.size() >= size) return;
        refuse(origin, "header", "a file of " + evidence::counted(bytes.size(), "byte"),
               "a whole .npy header");
    };
    require(magic.size() + 2);
    const std::size_t major = byte_at(bytes, magic.size());
    const std::size_t minor = byte_at(bytes, magic.size() + 1);
    if (major < 1 || major > 3 || minor != 0) {
        refuse(origin, "byte 7",
               "format version " + std::to_string(major) + '.' + std::to_string(minor),
               "format version 1.0, 2.0 or 3.0");
    }
    const std::size_t length_size = major == 1 ? 2 : 4;
    const std::size_t begin = magic.size() + 2 + length_size;
    require(begin);
    std::uint32_t length = 0;
    for (std::size_t byte = 0; byte < length_size; ++byte) {
        length |= static_cast<std::uint32_t>(byte_at(bytes, magic.size() + 2 + byte)) << 8 * byte;
    }
    if (length > longest_header) {
        refuse(origin, "byte 9", "a header of " + evidence::counted(length, "byte"),
               "a header of at most 65536 bytes");
    }
    return begin + length;
}

NpyHeader parse_npy_header(std::string_view origin, std::string_view bytes,
                           const char* accepted_types) {
    NpyHeader header;
    header.data_offset = npy_data_offset(origin, bytes);
    if (bytes.size() < header.data_offset) {
        refuse(origin, "header", "a file of " + evidence::counted(bytes.size(), "byte"),
               "the " + evidence::counted(header.data_offset, "byte") + " that the header takes");
    }
    const std::size_t begin = magic.size() + 2 + (bytes[magic.size()] == 1 ? 2 : 4);
    HeaderReader(origin, bytes, begin, header.data_offset, accepted_types).read(header);
    return header;
}

void require_within(std::string_view origin, const NpyHeader& header, const Limits& limits) {
    if (header.elements == 0 && !limits.empty_allowed) {
        refuse(origin, "header", "the shape " + tensor::to_text(header.shape),
               "at least one value: every axis from 1");
    }
    if (header.elements > limits.max_elements) {
        refuse(origin, "header",
               "the shape " + tensor::to_text(header.shape) + ", " +
                   evidence::counted(header.elements, "value"),
               accepted_count(limits));
    }
}

std::string npy_header(std::span<const std::size_t> shape) {
    std::string text =
        "{'descr': '<f8', 'fortran_order': False, 'shape': " + tuple_text(shape) + ", }";
    // numpy leaves room for the first axis to grow to 21 digits in place.
    if (!shape.empty()) text.append(21 - std::to_string(shape[0]).size(), ' ');
    constexpr std::size_t begin = 10;
    constexpr std::size_t alignment = 64;
    const std::size_t unpadded = begin + text.size() + 1;
    text.append((alignment - unpadded % alignment) % alignment, ' ');
    text += '\n';
    std::string header(magic);
    header += {'\x01', '\x00', static_cast<char>(text.size() & 0xff),
               static_cast<char>(text.size() >> 8)};
    return header + text;
}

}  // namespace rmsnorm::cli
