// Completion in bash: one function, which looks up what the subcommand before the cursor takes.
#include "cli/commands.hpp"
#include "cli/completions.hpp"
#include "cli/help.hpp"
#include "evidence/words.hpp"
#include "report/version.hpp"

namespace rmsnorm::cli {
namespace {

// What the function below has in `values`.
std::string values(const Option& option) {
    switch (completion_of(option)) {
        case Completion::choices: return shell_quoted(evidence::listed(option.choices(), " "));
        case Completion::files:
        case Completion::values: return "@files";
        case Completion::folders: return "@folders";
        case Completion::nothing: break;
    }
    return "@nothing";
}

// `options`, and `values` of the option before the cursor or else of the argument.
std::string lookup(const std::vector<Option>& options, const std::string& argument) {
    std::string names;
    std::string cases;
    for (const Option& option : options) {
        std::string pattern;
        for (const std::string_view name : names_of(option)) {
            names.append(names.empty() ? "" : " ").append(name);
            pattern.append(pattern.empty() ? "" : " | ").append(name);
        }
        if (!option.value_name.empty()) {
            cases += "                " + pattern + ") values=" + values(option) + " ;;\n";
        }
    }
    return "            options=" + shell_quoted(names) + "\n            case $previous in\n" +
           cases + "                *) argument=" + argument + " ;;\n            esac ;;\n";
}

constexpr const char* beginning = R"(
_rmsnorm_fixture() {
    local current=${COMP_WORDS[COMP_CWORD]} previous= command= word mark=
    local options= values= argument= i ended= all
    COMPREPLY=()
    # The words before the cursor: bash splits them at = and @ where COMP_WORDBREAKS has these.
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word =~ ^[=@]+$ ]]; then continue; fi
        if [[ $word == -- ]]; then ended=yes; fi
        if [[ -z $command && $word != -* && $previous != --color ]]; then command=$word; fi
        previous=$word
    done
    if [[ $current == --*=* ]]; then
        mark=${current%%=*}= previous=${current%%=*} current=${current#*=}
    elif [[ $current == =* ]]; then
        current=${current#=}
    fi
    if [[ $current == @* ]]; then
        mark+=@ current=${current#@}
    elif [[ $word =~ ^=?@$ ]]; then
        mark=@  # a word of its own here, and yet a part of what is replaced
    fi
    case $command in
)";

constexpr const char* end = R"(    esac
    if [[ -n $ended ]]; then options= values=; fi
    if [[ -z $values ]]; then
        if [[ -z $ended && $current == -* ]]; then values=$options; else values=$argument; fi
    fi
    case ${values:-$options} in
        @nothing) ;;
        @files) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        @folders) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        *) mapfile -t COMPREPLY < <(compgen -P "$mark" -W "${values:-$options}" -- "$current") ;;
    esac
    if [[ ${values:-$options} != @* ]]; then return; fi
    if [[ -z $mark ]]; then
        compopt -o filenames
        return
    fi
    # Behind a mark readline sees no file.
    for i in "${!COMPREPLY[@]}"; do
        word=
        if [[ -d ${COMPREPLY[i]} ]]; then
            word=/
            compopt -o nospace
        fi
        COMPREPLY[i]=$mark$(printf %q "${COMPREPLY[i]}")$word
    done
} && complete -F _rmsnorm_fixture rmsnorm-fixture
)";

}  // namespace

std::string bash_completion() {
    std::string text = "# bash completion for " + std::string(report::program_name) + " " +
                       std::string(report::program_version()) + beginning;
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    const std::string subcommands = shell_quoted(evidence::listed(names, " "));
    text += "        '')\n" + lookup(general_options(), subcommands);
    text += "        help)\n" + lookup({}, subcommands);
    for (const Command& command : commands()) {
        const std::vector<Option> options = command.prepared().options;
        const Option* const argument = argument_of(options);
        text.append("        ").append(command.name).append(")\n");
        text += lookup(named_options(options), argument == nullptr ? "''" : values(*argument));
    }
    return text + end;
}

}  // namespace rmsnorm::cli
