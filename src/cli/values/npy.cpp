#include "cli/values/npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "numeric/bits.hpp"

namespace rmsnorm::cli {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view magic = "\x93NUMPY"sv;
constexpr std::size_t longest_header = 65536;
constexpr const char* accepted_types =
    "floating-point numbers of 2, 4 or 8 bytes ('<f2', '<f4', '<f8', '>f2', '>f4', '>f8')";

static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);

[[noreturn]] void refuse(std::string_view origin, std::string place, std::string found,
                         std::string accepted) {
    throw ValuesError(
        {std::string(origin), std::move(place), std::move(found), std::move(accepted)});
}

std::size_t byte_at(std::string_view bytes, std::size_t place) {
    return static_cast<unsigned char>(bytes[place]);
}

// Reads the header's text, a Python dictionary, from left to right.
class HeaderReader {
  public:
    HeaderReader(std::string_view origin, std::string_view bytes, std::size_t begin,
                 std::size_t end)
        : origin_(origin), bytes_(bytes.substr(0, end)), at_(begin) {}

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
    if (at_ != bytes_.size()) refuse_here("spaces and a line end behind the dictionary");
}

void HeaderReader::read_descr(NpyHeader& header) {
    skip_spaces();
    if (at_ < bytes_.size() && bytes_[at_] == '[') {
        refuse_at(at_, "a structured type", accepted_types);
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
    if (type == "f2") {
        header.type = NpyType::binary16;
    } else if (type == "f4") {
        header.type = NpyType::binary32;
    } else if (type == "f8") {
        header.type = NpyType::binary64;
    } else {
        const bool pickled = type.starts_with('O');
        refuse_at(start, (pickled ? "pickled objects, type " : "the type ") + quoted(name),
                  accepted_types);
    }
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
    const std::optional<std::size_t> elements = element_count(header.shape);
    if (!elements) {
        refuse_at(start, "the shape " + shape_text(header.shape),
                  "a shape whose product can be counted");
    }
    header.elements = *elements;
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
    at_ = end;
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

std::uint16_t swapped(std::uint16_t pattern) { return __builtin_bswap16(pattern); }
std::uint32_t swapped(std::uint32_t pattern) { return __builtin_bswap32(pattern); }
std::uint64_t swapped(std::uint64_t pattern) { return __builtin_bswap64(pattern); }

template <typename Pattern>
Pattern load(const char* bytes, std::endian order) {
    Pattern pattern = 0;
    std::memcpy(&pattern, bytes, sizeof pattern);
    return order == std::endian::native ? pattern : swapped(pattern);
}

// IEEE 754 binary16: 5 bits of exponent with bias 15, 10 bits of fraction.
double from_binary16(std::uint16_t half) {
    const std::uint64_t sign = std::uint64_t{half} >> 15 << 63;
    const std::uint64_t exponent = half >> 10 & 0x1f;
    const std::uint64_t fraction = half & 0x3ff;
    if (exponent == 0) {
        // Subnormal or zero: fraction times 2^-24, exact in binary64.
        const double magnitude = static_cast<double>(fraction) * 0x1p-24;
        return numeric::binary64(sign | numeric::bits(magnitude));
    }
    const std::uint64_t wide_exponent = exponent == 0x1f ? 0x7ff : exponent + 1023 - 15;
    return numeric::binary64(sign | wide_exponent << 52 | fraction << 42);
}

constexpr std::uint64_t exponent_mask = 0x7ff0000000000000;

// A sum whose highest bit is set exactly when the exponent is all ones.
std::uint64_t non_finite_mark(double value) {
    return (numeric::bits(value) & exponent_mask) + 0x0010000000000000;
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

std::size_t element_size(NpyType type) {
    switch (type) {
        case NpyType::binary16: return 2;
        case NpyType::binary32: return 4;
        case NpyType::binary64: break;
    }
    return 8;
}

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
        refuse(origin, "header", "a file of " + std::to_string(bytes.size()) + " bytes",
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
        refuse(origin, "byte 9", "a header of " + std::to_string(length) + " bytes",
               "a header of at most 65536 bytes");
    }
    return begin + length;
}

NpyHeader parse_npy_header(std::string_view origin, std::string_view bytes) {
    NpyHeader header;
    header.data_offset = npy_data_offset(origin, bytes);
    if (bytes.size() < header.data_offset) {
        refuse(origin, "header", "a file of " + std::to_string(bytes.size()) + " bytes",
               "the " + std::to_string(header.data_offset) + " bytes that the header takes");
    }
    const std::size_t begin = magic.size() + 2 + (bytes[magic.size()] == 1 ? 2 : 4);
    HeaderReader(origin, bytes, begin, header.data_offset).read(header);
    return header;
}

void decode_npy(const NpyHeader& header, std::string_view bytes, std::span<double> elements) {
    const char* from = bytes.data();
    switch (header.type) {
        case NpyType::binary16:
            for (double& element : elements) {
                element = from_binary16(load<std::uint16_t>(from, header.byte_order));
                from += 2;
            }
            return;
        case NpyType::binary32:
            for (double& element : elements) {
                element = numeric::binary32(load<std::uint32_t>(from, header.byte_order));
                from += 4;
            }
            return;
        case NpyType::binary64: break;
    }
    if (header.byte_order == std::endian::native) {
        if (!elements.empty()) std::memcpy(elements.data(), from, elements.size_bytes());
        return;
    }
    for (double& element : elements) {
        element = numeric::binary64(load<std::uint64_t>(from, header.byte_order));
        from += 8;
    }
}

std::size_t first_non_finite(std::span<const double> elements) {
    // Whole groups are judged by one bit, so that the loop over a group becomes vector code.
    constexpr std::size_t group = 64;
    std::size_t at = 0;
    for (; elements.size() - at >= group; at += group) {
        const double* const from = elements.data() + at;
        std::uint64_t marks = 0;
        for (std::size_t index = 0; index < group; ++index) marks |= non_finite_mark(from[index]);
        if (marks >> 63 != 0) break;
    }
    while (at < elements.size() && non_finite_mark(elements[at]) >> 63 == 0) ++at;
    return at;
}

void refuse_non_finite(std::string_view origin, const NpyHeader& header, std::size_t index,
                       double value) {
    const std::vector<std::size_t>& shape = header.shape;
    std::vector<std::size_t> indices(shape.size());
    for (std::size_t step = 0; step < shape.size(); ++step) {
        // From the axis that runs fastest in the file.
        const std::size_t axis = header.fortran_order ? step : shape.size() - 1 - step;
        indices[axis] = index % shape[axis];
        index /= shape[axis];
    }
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        flat = flat * shape[axis] + indices[axis];
    }
    refuse(origin, "element " + shape_text(indices) + " (flat index " + std::to_string(flat) + ")",
           std::isnan(value) ? "nan" : (value < 0 ? "-inf" : "inf"), "finite numbers");
}

void refuse_truncated(std::string_view origin, const NpyHeader& header,
                      std::size_t elements_found) {
    refuse(origin, "data", "an end after " + std::to_string(elements_found) + " values",
           "the " + std::to_string(header.elements) + " values of the shape " +
               shape_text(header.shape));
}

void refuse_trailing(std::string_view origin, const NpyHeader& header) {
    refuse(origin, "data", "bytes behind the last value",
           "the " + std::to_string(header.elements) + " values of the shape " +
               shape_text(header.shape) + " and no more");
}

std::vector<double> row_major(std::span<const double> fortran, std::span<const std::size_t> shape) {
    std::vector<double> result(fortran.size());
    // Steps through the elements as they lie, and keeps the place of each in row-major order.
    std::vector<std::size_t> strides(shape.size());
    std::size_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        strides[axis] = stride;
        stride *= shape[axis];
    }
    std::vector<std::size_t> index(shape.size());
    std::size_t place = 0;
    for (const double element : fortran) {
        result[place] = element;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            place += strides[axis];
            if (++index[axis] < shape[axis]) break;
            place -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    return result;
}

Values parse_npy(std::string_view origin, std::string_view bytes, const Limits& limits) {
    const NpyHeader header = parse_npy_header(origin, bytes);
    require_within(origin, header, limits);
    const std::string_view data = bytes.substr(header.data_offset);
    const std::size_t size = element_size(header.type);
    if (data.size() / size < header.elements) {
        refuse_truncated(origin, header, data.size() / size);
    }
    if (data.size() > header.elements * size) refuse_trailing(origin, header);
    Values values{header.shape, std::vector<double>(header.elements)};
    decode_npy(header, data, values.elements);
    const std::size_t bad = first_non_finite(values.elements);
    if (bad < values.elements.size()) {
        refuse_non_finite(origin, header, bad, values.elements[bad]);
    }
    if (!is_row_major(header)) values.elements = row_major(values.elements, values.shape);
    return values;
}

void require_within(std::string_view origin, const NpyHeader& header, const Limits& limits) {
    if (header.elements == 0 && !limits.empty_allowed) {
        refuse(origin, "header", "the shape " + shape_text(header.shape),
               "at least one value: every axis from 1");
    }
    if (header.elements > limits.max_elements) {
        refuse(origin, "header",
               "the shape " + shape_text(header.shape) + ", " + std::to_string(header.elements) +
                   " values",
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

std::string_view npy_bytes(std::span<const double> elements, std::string& scratch) {
    if constexpr (std::endian::native == std::endian::little) {
        return {reinterpret_cast<const char*>(elements.data()), elements.size_bytes()};
    }
    scratch.resize(elements.size_bytes());
    char* to = scratch.data();
    for (const double element : elements) {
        const std::uint64_t pattern = numeric::bits(element);
        for (unsigned shift = 0; shift < 64; shift += 8) {
            *to++ = static_cast<char>(pattern >> shift & 0xff);
        }
    }
    return scratch;
}

}  // namespace rmsnorm::cli
