// Completion in fish: one `complete` an option of a subcommand.
#include "cli/commands.hpp"
#include "cli/completions.hpp"
#include "cli/help.hpp"
#include "evidence/words.hpp"
#include "report/version.hpp"

namespace rmsnorm::cli {
namespace {

std::string line(const std::string& condition, const std::string& rest) {
    return "complete -c " + std::string(report::program_name) +
           (condition.empty() ? "" : " -n " + shell_quoted(condition)) + " " + rest + "\n";
}

std::string words(const Option& option) {
    switch (completion_of(option)) {
        case Completion::choices:
            return " -x -a " + shell_quoted(evidence::listed(option.choices(), " "));
        case Completion::files:
        case Completion::values: return " -r -F";
        case Completion::folders: return " -x -a '(__fish_complete_directories)'";
        case Completion::nothing: break;
    }
    return " -x";
}

std::string option_line(const std::string& condition, const Option& option) {
    std::string rest;
    for (const std::string_view name : names_of(option)) {
        const bool is_long = name.starts_with("--");
        rest.append(rest.empty() ? "" : " ").append(is_long ? "-l " : "-s ");
        rest.append(name.substr(is_long ? 2 : 1));
    }
    if (!option.value_name.empty()) rest += words(option);
    return line(condition, rest + " -d " + shell_quoted(option_text(option)));
}

std::string argument_line(const std::string& condition, const Option& option) {
    const std::string what = words(option);
    // Without -x and -r: these are for the values of options.
    return line(condition, (what.starts_with(" -r") ? "-F" : "-f" + what.substr(3)) + " -d " +
                               shell_quoted(option.value_name));
}

constexpr const char* beginning = R"(
# The subcommand before the cursor.
function __rmsnorm_fixture_subcommand
    set -l previous
    for word in (commandline -opc)[2..-1]
        if not string match -q -- '-*' $word; and test "$previous" != --color
            echo $word
            return 0
        end
        set previous $word
    end
    return 1
end

)";

std::string behind(std::string_view subcommand) {
    return "contains -- " + std::string(subcommand) + " (__rmsnorm_fixture_subcommand)";
}

}  // namespace

std::string fish_completion() {
    std::string text = "# fish completion for " + std::string(report::program_name) + " " +
                       std::string(report::program_version()) + beginning + line("", "-f");
    std::vector<std::string> names;
    const std::string first = "not __rmsnorm_fixture_subcommand >/dev/null";
    for (const Option& option : general_options()) text += option_line(first, option);
    for (const Command& command : commands()) {
        names.emplace_back(command.name);
        text += line(first, "-a " + names.back() + " -d " + shell_quoted(command.summary));
    }
    text += line(behind("help"), "-a " + shell_quoted(evidence::listed(names, " ")));
    for (const Command& command : commands()) {
        const std::string condition = behind(command.name);
        const std::vector<Option> options = command.prepared().options;
        if (const Option* const argument = argument_of(options)) {
            text += argument_line(condition, *argument);
        }
        for (const Option& option : named_options(options)) text += option_line(condition, option);
    }
    return text;
}

}  // namespace rmsnorm::cli
