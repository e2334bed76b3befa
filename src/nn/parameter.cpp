#include "nn/parameter.hpp"

#include <set>
#include <utility>

#include "numeric/utf8.hpp"

namespace rmsnorm::nn {
namespace {

constexpr std::size_t longest_name = 255;

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

std::string message(const RepeatedName& e) {
    return "parameter name \"" + e.name + "\" must stand for one parameter, not for two";
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
        const auto character = numeric::first_character(name.substr(offset));
        if (!character) throw ParameterNameError(NameNotUtf8{offset});
        if (is_refused(character->code_point)) {
            throw ParameterNameError(NameCharacter{character->code_point, offset});
        }
        offset += character->bytes;
    }
    if (name.front() == '.' || name.back() == '.' || name.find("..") != std::string_view::npos) {
        throw ParameterNameError(EmptyNamePart{std::string(name)});
    }
}

NamedParameter::NamedParameter(std::string name, tensor::Tensor tensor)
    : name_((validate_parameter_name(name), std::move(name))),
      value_(autodiff::Value::parameter(std::move(tensor))) {}

NamedParameters::NamedParameters(std::vector<NamedParameter> parameters)
    : all_(std::move(parameters)) {
    std::set<std::string_view> names;
    for (const NamedParameter& parameter : all_) {
        if (!names.insert(parameter.name()).second) {
            throw ParameterNameError(RepeatedName{parameter.name()});
        }
    }
}

ParameterNameError::ParameterNameError(Case rejection)
    : TypedError(std::move(rejection), [](const auto& e) { return message(e); }) {}

}  // namespace rmsnorm::nn
