#include "report/json_text.hpp"

#include <algorithm>
#include <cmath>
// The library's digits alone; its documents are many times as large as what is done here.
#include <nlohmann/detail/conversions/to_chars.hpp>
#include <stdexcept>

#include "evidence/words.hpp"
#include "numeric/utf8.hpp"

namespace rmsnorm::report {
namespace {

// How many characters at the start stand in a JSON text as they are. Nearly all that a document
// quotes are digits.
std::size_t plain_characters(std::string_view text) {
    const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    const auto* const end = std::find_if_not(text.begin(), text.end(), plain);
    return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

void JsonText::open(char bracket) {
    place();
    text_ += bracket;
    ++depth_;
    empty_ = true;
}

void JsonText::close(char bracket) {
    --depth_;
    if (!empty_) line();
    text_ += bracket;
    empty_ = false;
}

void JsonText::key(std::string_view name) {
    place();
    quote(name);
    text_ += ": ";
    behind_key_ = true;
}

void JsonText::add(bool value) {
    place();
    text_ += value ? "true" : "false";
}

void JsonText::add_null() {
    place();
    text_ += "null";
}

void JsonText::add(std::uint64_t value) {
    place();
    text_ += std::to_string(value);
}

void JsonText::add(double value) {
    if (!std::isfinite(value)) return add_null();
    place();
    char digits[64];
    text_.append(digits, nlohmann::detail::to_chars(digits, digits + sizeof digits, value));
}

void JsonText::add(std::string_view value) {
    place();
    quote(value);
}

void JsonText::add_number(std::string_view digits) {
    place();
    text_ += digits;
}

void JsonText::add_numbers(const std::vector<std::string>& digits) {
    place();
    text_.append("[").append(evidence::listed(digits)).append("]");
}

void JsonText::add_texts(const std::vector<std::string>& values) {
    place();
    text_ += '[';
    for (const std::string& value : values) {
        if (&value != &values.front()) text_ += ", ";
        quote(value);
    }
    text_ += ']';
}

// Behind its key, or on a line of its own.
void JsonText::place() {
    if (behind_key_) {
        behind_key_ = false;
        return;
    }
    if (depth_ == 0) return;
    if (!empty_) text_ += ',';
    line();
    empty_ = false;
}

void JsonText::line() {
    text_ += '\n';
    text_.append(2 * depth_, ' ');
}

void JsonText::quote(std::string_view value) {
    constexpr std::string_view controls = "\b\t\n\f\r";
    text_ += '"';
    while (true) {
        const std::size_t plain = plain_characters(value);
        text_ += value.substr(0, plain);
        value.remove_prefix(plain);
        if (value.empty()) break;
        const auto character = numeric::first_character(value);
        if (!character) throw std::invalid_argument("a JSON document holds text that is not UTF-8");
        const char c = value.front();
        if (const std::size_t known = controls.find(c); known != std::string_view::npos) {
            text_ += '\\';
            text_ += "btnfr"[known];
        } else if (character->code_point < 0x20) {
            constexpr std::string_view hexadecimal = "0123456789abcdef";
            text_ += "\\u00";
            text_ += hexadecimal[character->code_point >> 4];
            text_ += hexadecimal[character->code_point & 15];
        } else {
            if (c == '"' || c == '\\') text_ += '\\';
            text_ += value.substr(0, character->bytes);
        }
        value.remove_prefix(character->bytes);
    }
    text_ += '"';
}

}  // namespace rmsnorm::report
