// Completion in zsh, by its own _arguments.
#include "cli/commands.hpp"
#include "cli/completions.hpp"
#include "cli/help.hpp"
#include "evidence/words.hpp"
#include "report/version.hpp"

namespace rmsnorm::cli {
namespace {

// Text within a specification of _arguments.
std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

std::string action(const Option& option) {
    const std::string message = ":" + plain(option.value_name) + ":";
    switch (completion_of(option)) {
        case Completion::choices:
            return message + "(" + evidence::listed(option.choices(), " ") + ")";
        case Completion::files: return message + "_files";
        case Completion::folders: return message + "_files -/";
        case Completion::values: return message + "_rmsnorm_fixture_values";
        case Completion::nothing: break;
    }
    return message + " ";
}

std::string specifications(const std::vector<Option>& options) {
    std::string text;
    for (const Option& option : options) {
        const auto names = names_of(option);
        const bool ends =
            names.back() == "--help" || names.back() == "--version" || names.back() == "--man";
        std::string others = ends ? "- *" : "";
        for (const std::string_view name : names) {
            others.append(others.empty() ? "" : " ").append(name);
        }
        for (const std::string_view name : names) {
            const bool valued = !option.value_name.empty();
            std::string text_of = option.repeatable ? "*" : "(" + others + ")";
            text_of.append(name).append(!valued ? "" : name.starts_with("--") ? "=" : "+");
            text_of += "[" + plain(option_text(option)) + "]" + (valued ? action(option) : "");
            text += "            " + shell_quoted(text_of) + " \\\n";
        }
    }
    return text;
}

constexpr const char* beginning = R"(
_rmsnorm_fixture_values() {
    compset -P @
    _files
}

_rmsnorm_fixture_subcommands() {
    local -a subcommands=(
)";

constexpr const char* middle = R"(    )
    _describe -t subcommands subcommand subcommands
}

_rmsnorm_fixture() {
    local curcontext=$curcontext state line
    _arguments -C -A '-*' \
)";

constexpr const char* commands_begin = R"(            '1: :_rmsnorm_fixture_subcommands' \
            '*:: :->words' && return
    [[ $state == words ]] || return
    case $words[1] in
    help) _arguments '1: :_rmsnorm_fixture_subcommands' ;;
)";

constexpr const char* end = R"(    esac
}

# Read from a folder of $fpath, or by source.
if [[ $funcstack[1] == _rmsnorm-fixture ]]; then
    _rmsnorm_fixture "$@"
else
    compdef _rmsnorm_fixture rmsnorm-fixture
fi
)";

}  // namespace

std::string zsh_completion() {
    std::string text = "#compdef " + std::string(report::program_name) + "\n# zsh completion for " +
                       std::string(report::program_name) + " " +
                       std::string(report::program_version()) + "\n" + beginning;
    for (const Command& command : commands()) {
        text += "        " +
                shell_quoted(std::string(command.name) + ":" + plain(command.summary)) + "\n";
    }
    text += middle + specifications(general_options()) + commands_begin;
    for (const Command& command : commands()) {
        const std::vector<Option> options = command.prepared().options;
        text.append("    ").append(command.name).append(")\n        _arguments -s -S \\\n");
        text += specifications(named_options(options));
        if (const Option* const argument = argument_of(options)) {
            const std::string place = argument->repeatable ? "*" : "1";
            text += "            " + shell_quoted(place + action(*argument)) + " \\\n";
        }
        text += "        ;;\n";
    }
    return text + end;
}

}  // namespace rmsnorm::cli
