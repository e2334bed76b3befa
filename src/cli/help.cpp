#include "cli/help.hpp"

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "report/version.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t line_width = 80;

std::string heading(std::string_view text) {
    return styled(Stream::output, Style::bold, std::string(text)) + "\n";
}

// `text` in words, broken before `line_width`, every line after the first indented.
std::string wrapped(std::string_view text, std::size_t column, std::size_t indent) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (column + end > line_width && column > indent) {
            result.back() = '\n';
            result += std::string(indent, ' ');
            column = indent;
        }
        result.append(text.substr(0, end)).append(" ");
        column += end + 1;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!result.empty()) result.back() = '\n';
    return result;
}

// "  term   explanation", the explanation from the given column on.
std::string entry(const std::string& term, std::string_view explanation, std::size_t column) {
    std::string line = "  " + term;
    if (line.size() + 2 > column) {
        line += "\n" + std::string(column, ' ');
    } else {
        line += std::string(column - line.size(), ' ');
    }
    return line + wrapped(explanation, column, column);
}

std::string option_term(const Option& option) {
    if (option.names.empty()) {
        const std::string dots = option.repeatable ? "..." : "";
        return option.required ? option.value_name + dots : "[" + option.value_name + dots + "]";
    }
    std::string term = option.names;
    const std::size_t comma = term.find(',');
    if (comma != std::string::npos) term.insert(comma + 1, " ");
    return option.value_name.empty() ? term : term + " " + option.value_name;
}

}  // namespace

std::vector<Option> general_options() {
    return {{.names = "-h,--help",
             .value_name = "",
             .help = "print this help, or that of a subcommand",
             .default_text = ""},
            {.names = "--version",
             .value_name = "",
             .help = "print the version, with or without a subcommand",
             .default_text = ""},
            {.names = "--color",
             .value_name = "WHEN",
             .help = "auto (on a terminal), always or never; NO_COLOR means never",
             .default_text = "",
             .choices =
                 [] {
                     return std::vector<std::string>{"auto", "always", "never"};
                 }},
            {.names = "--man",
             .value_name = "",
             .help = "print the manual page; see it with: rmsnorm-fixture --man | man -l -",
             .default_text = ""}};
}

std::vector<Option> common_options() {
    std::vector<Option> options = general_options();
    options.pop_back();
    options.front().help = "print this";
    return options;
}

std::span<const std::pair<std::string_view, std::string_view>> exit_codes() {
    static constexpr std::pair<std::string_view, std::string_view> codes[] = {
        {"0", "done, and every check held"},
        {"1", "a check failed: a golden differs, a gradient check or a replay failed"},
        {"2", "bad usage or bad input"},
        {"3", "reading or writing failed"}};
    return codes;
}

std::string option_text(const Option& option) {
    std::string text = option.help;
    if (option.repeatable && !option.names.empty()) text += "; may be given several times";
    if (!option.default_text.empty()) text += " (default: " + option.default_text + ")";
    return text;
}

std::string as_sentence(std::string_view text) {
    std::string sentence(text);
    const bool lower = sentence[0] >= 'a' && sentence[0] <= 'z';
    if (lower) sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
    return sentence + ".";
}

std::string general_help() {
    std::string text = std::string(program_summary) + "\n\n";
    text += heading("Usage");
    text += "  rmsnorm-fixture SUBCOMMAND [options]\n";
    std::string_view group;
    for (const Command& command : commands()) {
        if (command.group != group) {
            group = command.group;
            text += "\n" + heading(group);
        }
        text += entry(std::string(command.name), command.summary, 24);
    }
    text += "\n" + heading("Everywhere");
    for (const Option& option : general_options()) {
        text += entry(option_term(option), option.help, 24);
    }
    text += "\n" + heading("Exit codes");
    for (const auto& [code, meaning] : exit_codes()) text += entry(std::string(code), meaning, 24);
    text += "\n" + heading("Start here");
    text += "  rmsnorm-fixture report\n";
    text += "  rmsnorm-fixture forward --help\n";
    return text;
}

std::string command_help(const Command& command, const std::vector<Option>& options) {
    const std::string name(command.name);
    std::string usage = "  rmsnorm-fixture " + name + " [options]";
    for (const Option& option : options) {
        if (option.names.empty()) usage += " " + option_term(option);
    }
    std::string text =
        wrapped(as_sentence(command.summary), 0, 0) + "\n" + heading("Usage") + usage + "\n\n";
    text += heading("Options");
    for (const Option& option : options) {
        text += entry(option_term(option), option_text(option), 28);
    }
    const Option help = common_options().front();
    text += entry(option_term(help), option_text(help), 28);
    text += "\n" + heading("Example") + "  rmsnorm-fixture " + std::string(command.example) + "\n";
    return text;
}

std::string version_line() {
    return std::string(report::program_name) + " " + std::string(report::program_version()) + "\n";
}

}  // namespace rmsnorm::cli
