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

std::string option_text(const Option& option) {
    std::string text = option.help;
    if (option.repeatable && !option.names.empty()) text += "; may be given several times";
    if (!option.default_text.empty()) text += " (default: " + option.default_text + ")";
    return text;
}

}  // namespace

std::string general_help() {
    std::string text =
        "RMSNorm experiments that check their own results and replay with the same bits.\n\n";
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
    text += entry("-h, --help", "explain the program, or the subcommand before it", 24);
    text += entry("--version", "print the version; a subcommand may stand before it", 24);
    text +=
        entry("--color WHEN", "auto (on a terminal), always or never; NO_COLOR means never", 24);
    text += "\n" + heading("Exit codes");
    text += entry("0", "done, and every check held", 24);
    text += entry("1", "a check failed: a golden differs, a gradient check or a replay failed", 24);
    text += entry("2", "bad usage or bad input", 24);
    text += entry("3", "reading or writing failed", 24);
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
    std::string summary(command.summary);
    summary[0] = static_cast<char>(summary[0] >= 'a' && summary[0] <= 'z' ? summary[0] - 'a' + 'A'
                                                                          : summary[0]);
    std::string text = wrapped(summary + ".", 0, 0) + "\n" + heading("Usage") + usage + "\n\n";
    text += heading("Options");
    for (const Option& option : options) {
        text += entry(option_term(option), option_text(option), 28);
    }
    text += entry("-h, --help", "print this", 28);
    text += "\n" + heading("Example") + "  rmsnorm-fixture " + std::string(command.example) + "\n";
    return text;
}

std::string version_line() {
    return std::string(report::program_name) + " " + std::string(report::program_version()) + "\n";
}

}  // namespace rmsnorm::cli
