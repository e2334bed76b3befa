#include "nn/parameter.hpp"

#include <array>
#include <optional>
#include <utility>

namespace rmsnorm::nn {
namespace {

constexpr std::size_t longest_name = 255;

struct Decoded {
    std::uint32_t code_point;
    std::size_t bytes;
};

// The code point at the start of `text`; nothing for an ill-formed sequence (Unicode, table 3-7).
std::optional<Decoded> decode(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80) return Decoded{lead, 1};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return std::nullopt;
    std::uint32_t code_point = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return std::nullopt;
        code_point = code_point << 6 | (byte(i) & 0x3fU);
    }
    constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
    if (code_point < smallest[length] || code_point > 0x10ffff || surrogate) return std::nullopt;
    return Decoded{code_point, length};
}

// What would break a report line or show it in another order than it is stored: white space,
// controls, directional embeddings, overrides and isolates, and the trace's separator.
bool is_refused(std::uint32_t c) {
    return c <= 0x20 || (c >= 0x7f && c <= 0xa0) || c == '|' || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000 || c == 0xfeff || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

std::string message(const EmptyName&) { return "parameter name must not be empty"; }

std::string message(const NameTooLong& e) {
    return "parameter name must have at most " + std::to_string(e.most) + " bytes, got " +
           std::to_string(e.bytes);
}

std::string message(const EmptyNamePart& e) {
    return "parameter name \"" + e.name + "\" must not have an empty part between its dots";
}

std::string message(const NameCharacter& e) {
    std::string digits;
    for (int shift = e.code_point > 0xffff ? 20 : 12; shift >= 0; shift -= 4) {
        digits += "0123456789ABCDEF"[(e.code_point >> shift) & 0xf];
    }
    return "parameter name must not hold white space, control characters, text direction "
           "overrides or '|', got U+" +
           digits + " at byte " + std::to_string(e.offset + 1);
}

std::string message(const NameNotUtf8& e) {
    return "parameter name must be UTF-8, which it is not at byte " + std::to_string(e.offset + 1);
}

}  // namespace

void validate_parameter_name(std::string_view name) {
    if (name.empty()) throw ParameterNameError(EmptyName{});
    if (name.size() > longest_name)
        throw ParameterNameError(NameTooLong{name.size(), longest_name});
    for (std::size_t offset = 0; offset < name.size();) {
        // Printable ASCII, the common case.
        if (name[offset] > ' ' && name[offset] < '|') {
            ++offset;
            continue;
        }
        const auto decoded = decode(name.substr(offset));
        if (!decoded) throw ParameterNameError(NameNotUtf8{offset});
        if (is_refused(decoded->code_point)) {
            throw ParameterNameError(NameCharacter{decoded->code_point, offset});
        }
        offset += decoded->bytes;
    }
    if (name.front() == '.' || name.back() == '.' || name.find("..") != std::string_view::npos) {
        throw ParameterNameError(EmptyNamePart{std::string(name)});
    }
}

NamedParameter::NamedParameter(std::string name, tensor::Tensor tensor)
    : name_((validate_parameter_name(name), std::move(name))),
      value_(autodiff::Value::parameter(std::move(tensor))) {}

ParameterNameError::ParameterNameError(Case rejection)
    : std::runtime_error(std::visit([](const auto& e) { return message(e); }, rejection)),
      rejection_(std::move(rejection)) {}

}  // namespace rmsnorm::nn
