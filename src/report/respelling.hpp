// What a tool does to a text on its way without changing what it says.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rmsnorm::report {

/// A text as it was before: UTF-8 without a byte-order mark, lines that end in "\n".
struct Decoded {
    std::string text;
    std::vector<std::string> changes;  // "UTF-16", "a byte-order mark", "carriage returns"
};

Decoded decoded(std::string_view bytes);

/// Whether `text` is a JSON object with this member at its top: `"key": "value"`, as JSON has it.
bool has_member(std::string_view text, std::string_view member);

/// The text under `key` at the top of a JSON object; empty where there is none.
std::string text_member(std::string_view text, const std::string& key);

/// How two JSON texts of the same values differ: "minified", "keys in another order", …; nothing
/// when values differ or one is no JSON.
std::optional<std::vector<std::string>> json_respelling(std::string_view golden,
                                                        std::string_view computed);

/// The first places where the values of two JSON texts differ, a line each:
/// `/output/values/0: 1.25, computed 1.5`.
std::string json_differences(std::string_view golden, std::string_view computed);

}  // namespace rmsnorm::report
