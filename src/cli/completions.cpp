#include "cli/completions.hpp"

#include <algorithm>

#include "cli/help.hpp"

namespace rmsnorm::cli {

Completion completion_of(const Option& option) {
    if (option.choices) return Completion::choices;
    if (option.value_name == "FILE") return Completion::files;
    if (option.value_name == "DIR") return Completion::folders;
    if (option.value_name == "VALUES") return Completion::values;
    return Completion::nothing;
}

std::vector<Option> named_options(const std::vector<Option>& options) {
    std::vector<Option> named;
    for (const Option& option : options) {
        if (!option.names.empty()) named.push_back(option);
    }
    for (Option& option : common_options()) named.push_back(std::move(option));
    return named;
}

const Option* argument_of(const std::vector<Option>& options) {
    const auto found = std::find_if(options.begin(), options.end(),
                                    [](const Option& option) { return option.names.empty(); });
    return found == options.end() ? nullptr : &*found;
}

std::string shell_quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'') {
            result += "'\\''";
        } else {
            result += c;
        }
    }
    return result + "'";
}

}  // namespace rmsnorm::cli
