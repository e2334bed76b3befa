// What a subcommand accepts, as data: the parser, the help and the error messages all read it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rmsnorm::cli {

struct Option {
    std::string names;       // "--format", "-o,--output"; empty for a positional argument
    std::string value_name;  // "FILE"; empty for a flag
    std::string help;
    std::string default_text;  // as the help shows it; empty for none
    /// Throws InputError for a value that the option does not take; without one it takes all.
    std::function<void(const std::string&)> check = {};
    bool repeatable = false;
    bool required = false;
    std::function<std::vector<std::string>()> choices = {};  // the words that a value may be
    std::vector<std::string> values = {};  // what the command line gave; "true" for a flag

    bool given() const { return !values.empty(); }
};

/// The values of the option that messages call `name`; none when there is no such option.
const std::vector<std::string>& values_of(const std::vector<Option>& options,
                                          std::string_view name);

/// The value of an option that is given once at most.
std::optional<std::string> value_of(const std::vector<Option>& options, std::string_view name);

bool given(const std::vector<Option>& options, std::string_view name);

/// Throws InputError when `-`, standard input, is more than one value of the options that messages
/// call by these names: it can be read once.
void require_one_reader(const std::vector<Option>& options, const std::vector<std::string>& names);

/// "-o", "--output".
std::vector<std::string_view> names_of(const Option& option);

/// The name by which messages call an option: its longest.
std::string display_name(const Option& option);

}  // namespace rmsnorm::cli
