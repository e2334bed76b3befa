#include "report/respelling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "report/json_value.hpp"

namespace rmsnorm::report {
namespace {

constexpr std::size_t most_differences = 10;

void append_utf8(std::string& text, std::uint32_t c) {
    const auto tail = [c](int shift) { return static_cast<char>(0x80U | ((c >> shift) & 0x3fU)); };
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text.append({static_cast<char>(0xc0U | c >> 6), tail(0)});
    } else if (c < 0x10000) {
        text.append({static_cast<char>(0xe0U | c >> 12), tail(6), tail(0)});
    } else {
        text.append({static_cast<char>(0xf0U | c >> 18), tail(12), tail(6), tail(0)});
    }
}

enum class Order { low_byte_first, high_byte_first };

// The order of UTF-16's bytes, by its mark or by the zero beside a first ASCII character.
std::optional<Order> utf16_order(std::string_view bytes) {
    if (bytes.size() < 2 || bytes.size() % 2 != 0) return std::nullopt;
    const bool marked = bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
    if (!marked && (bytes[0] == '\0') == (bytes[1] == '\0')) return std::nullopt;
    return bytes[0] == '\xff' || (!marked && bytes[1] == '\0') ? Order::low_byte_first
                                                               : Order::high_byte_first;
}

std::string utf8_of(std::string_view bytes, Order order) {
    const auto unit = [&](std::size_t at) -> std::uint32_t {
        const std::uint32_t first = static_cast<std::uint8_t>(bytes[at]);
        const std::uint32_t second = static_cast<std::uint8_t>(bytes[at + 1]);
        return order == Order::low_byte_first ? first | second << 8U : first << 8U | second;
    };
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
        std::uint32_t c = unit(at);
        if (c >= 0xd800 && c < 0xdc00 && at + 2 < bytes.size()) {
            at += 2;
            c = 0x10000 + ((c - 0xd800) << 10) + (unit(at) - 0xdc00);
        }
        append_utf8(text, c);
    }
    return text;
}

Json parsed(std::string_view text) { return Json::parse(text, nullptr, false); }

// Without regard to the order of keys.
bool same_values(const Json& a, const Json& b) {
    if (a.is_object() && b.is_object()) {
        return a.size() == b.size() &&
               std::all_of(a.items().begin(), a.items().end(), [&](auto& i) {
                   return b.contains(i.key()) && same_values(i.value(), b[i.key()]);
               });
    }
    if (a.is_number() && b.is_number()) {
        return a == b && std::signbit(a.get<double>()) == std::signbit(b.get<double>());
    }
    if (!a.is_array() || !b.is_array()) return a == b;
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_values);
}

std::string without_blanks(std::string_view json) {
    std::string text;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '"') quoted = !quoted;
        if (quoted || std::string_view(" \t\r\n").find(c) == std::string_view::npos) text += c;
        if (quoted && c == '\\' && i + 1 < json.size()) text += json[++i];
    }
    return text;
}

std::string quoted_value(const Json* value) {
    if (value == nullptr) return "nothing";
    if (value->is_structured()) {
        return "an " + std::string(value->type_name()) + " of " + std::to_string(value->size());
    }
    constexpr std::size_t most = 60;
    const std::string text = value->dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() > most ? text.substr(0, most) + "..." : text;
}

class Differences {
  public:
    void compare(const std::string& path, const Json* golden, const Json* computed) {
        if (golden != nullptr && computed != nullptr) {
            if (same_values(*golden, *computed)) return;
            if (golden->is_object() && computed->is_object()) {
                return compare_members(path, *golden, *computed);
            }
            if (golden->is_array() && computed->is_array()) {
                return compare_items(path, *golden, *computed);
            }
        }
        if (++count_ > most_differences) return;
        text_ += path + ": " + quoted_value(golden) + ", computed " + quoted_value(computed) + "\n";
    }

    std::string text() const {
        if (count_ <= most_differences) return text_;
        return text_ + "and " + std::to_string(count_ - most_differences) + " more\n";
    }

  private:
    void compare_members(const std::string& path, const Json& golden, const Json& computed) {
        for (const auto& [key, value] : golden.items()) {
            compare(path + "/" + key, &value, computed.contains(key) ? &computed[key] : nullptr);
        }
        for (const auto& [key, value] : computed.items()) {
            if (!golden.contains(key)) compare(path + "/" + key, nullptr, &value);
        }
    }

    void compare_items(const std::string& path, const Json& golden, const Json& computed) {
        for (std::size_t i = 0; i < std::max(golden.size(), computed.size()); ++i) {
            compare(path + "/" + std::to_string(i), i < golden.size() ? &golden[i] : nullptr,
                    i < computed.size() ? &computed[i] : nullptr);
        }
    }

    std::size_t count_ = 0;
    std::string text_;
};

}  // namespace

Decoded decoded(std::string_view bytes) {
    Decoded result;
    if (const auto order = utf16_order(bytes)) {
        result.text = utf8_of(bytes, *order);
        result.changes.emplace_back("UTF-16");
    } else {
        result.text = bytes;
    }
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (result.text.starts_with(mark)) {
        result.text.erase(0, mark.size());
        if (result.changes.empty()) result.changes.emplace_back("a byte-order mark");
    }
    if (result.text.find('\r') != std::string::npos) {
        result.changes.emplace_back("carriage returns");
        const bool alone = result.text.find('\n') == std::string::npos;
        if (alone) std::replace(result.text.begin(), result.text.end(), '\r', '\n');
        for (std::size_t at = 0; (at = result.text.find("\r\n", at)) != std::string::npos; ++at) {
            result.text.erase(at, 1);
        }
    }
    return result;
}

bool has_member(std::string_view text, std::string_view member) {
    const Json wanted = parsed("{" + std::string(member) + "}");
    const std::string value = wanted.begin().value().dump();
    // Most files hold nothing like it, and need no parsing.
    if (text.find(value) == std::string_view::npos) return false;
    const Json json = parsed(text);
    return json.is_object() && json.contains(wanted.begin().key()) &&
           json[wanted.begin().key()] == wanted.begin().value();
}

std::string text_member(std::string_view text, const std::string& key) {
    if (text.find('"' + key + '"') == std::string_view::npos) return "";
    const Json json = parsed(text);
    if (!json.is_object() || !json.contains(key) || !json[key].is_string()) return "";
    return json[key].get<std::string>();
}

std::optional<std::vector<std::string>> json_respelling(std::string_view golden,
                                                        std::string_view computed) {
    const Json was = parsed(golden);
    const Json is = parsed(computed);
    if (was.is_discarded() || is.is_discarded() || !same_values(was, is)) return std::nullopt;
    std::vector<std::string> changes;
    const bool one_line = golden.substr(0, golden.size() - 1).find('\n') == std::string_view::npos;
    const bool same_order = was == is;
    const std::string compact = without_blanks(golden);
    if (one_line) changes.emplace_back("minified");
    if (!same_order) changes.emplace_back("keys in another order");
    if (same_order && compact == without_blanks(computed)) {
        if (!one_line) changes.emplace_back("other white space");
    } else if (same_order || compact.size() != without_blanks(computed).size()) {
        changes.emplace_back("numbers or characters written otherwise");
    }
    return changes;
}

std::string json_differences(std::string_view golden, std::string_view computed) {
    const Json was = parsed(golden);
    const Json is = parsed(computed);
    Differences differences;
    differences.compare("", &was, &is);
    return differences.text();
}

}  // namespace rmsnorm::report
