#include "cli/manual_page.hpp"

#include <algorithm>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/version_date.hpp"
#include "report/version.hpp"

namespace rmsnorm::cli {
namespace {

// Text as troff prints it. A hyphen that is typed is a minus sign.
std::string escaped(std::string_view text, std::string_view hyphen) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '\\': result += "\\e"; break;
            case '\'': result += "\\(aq"; break;
            case '`': result += "\\(ga"; break;
            case '^': result += "\\(ha"; break;
            case '~': result += "\\(ti"; break;
            case '"': result += "\\(dq"; break;
            case '-': result += hyphen; break;
            default: result += c;
        }
    }
    return result;
}

std::string typed(std::string_view text) { return escaped(text, "\\-"); }
std::string bold(std::string_view text) { return "\\fB" + typed(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + typed(text) + "\\fR"; }

// A paragraph in short lines, each sentence from a new one. No line begins as a request does.
std::string filled(std::string_view text) {
    constexpr std::size_t line_width = 76;
    std::string result;
    std::size_t column = 0;
    bool sentence_ended = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        // An option or a number keeps its sign.
        const bool is_typed = word.find_first_of("0123456789") != word.npos ||
                              word.starts_with('-') || word.starts_with("rmsnorm-fixture");
        std::string shown = is_typed ? typed(word) : escaped(word, "-");
        const bool broken = sentence_ended || column + shown.size() > line_width;
        if (column > 0) {
            result += broken ? '\n' : ' ';
            column = broken ? 0 : column + 1;
        }
        if (column == 0 && (shown[0] == '.' || shown.starts_with("\\(aq"))) shown.insert(0, "\\&");
        result += shown;
        column += shown.size();
        sentence_ended = word.ends_with('.') && !word.ends_with("...");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result + "\n";
}

std::string heading(std::string_view text) {
    std::string upper(text);
    std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return ".SH \"" + escaped(upper, "-") + "\"\n";
}

std::string entry(const std::string& term, std::string_view explanation) {
    return ".TP\n" + term + "\n" + filled(explanation);
}

std::string argument_term(const Option& option) {
    const std::string name = italic(option.value_name) + (option.repeatable ? "..." : "");
    return option.required ? name : "[" + name + "]";
}

std::string option_term(const Option& option) {
    if (option.names.empty()) return argument_term(option);
    std::string term;
    for (const std::string_view name : names_of(option)) {
        term += (term.empty() ? "" : ", ") + bold(name);
    }
    return option.value_name.empty() ? term : term + " " + italic(option.value_name);
}

std::string synopsis(const Command& command, const std::vector<Option>& options) {
    std::string text =
        bold(report::program_name) + " " + bold(command.name) + " [" + italic("options") + "]";
    for (const Option& option : options) {
        if (option.names.empty()) text += " " + argument_term(option);
    }
    return text + "\n";
}

std::string example(std::string_view words) {
    return ".PP\n.EX\n" + typed(report::program_name) + " " + typed(words) + "\n.EE\n";
}

std::string section(const Command& command) {
    const std::vector<Option> options = command.prepared().options;
    std::string text = ".SS " + typed(command.name) + "\n" + filled(as_sentence(command.summary));
    text += ".PP\n" + synopsis(command, options);
    for (const Option& option : options) text += entry(option_term(option), option_text(option));
    return text + example(command.example);
}

}  // namespace

std::string manual_page() {
    const std::string name(report::program_name);
    std::string text = ".TH RMSNORM\\-FIXTURE 1 " RMSNORM_VERSION_DATE " \"" + name + " " +
                       std::string(report::program_version()) + "\" \"User Commands\"\n";
    text +=
        heading("Name") + typed(name) + " \\- RMSNorm experiments that check their own results\n";
    text += heading("Synopsis") + bold(name) + " " + italic("SUBCOMMAND") + " [" +
            italic("options") + "]\n";
    text += heading("Description") + filled(program_summary);
    text += filled("Results go to standard output, everything else to standard error.");
    text += heading("Options");
    for (const Option& option : general_options()) {
        text += entry(option_term(option), option_text(option));
    }
    std::string_view group;
    for (const Command& command : commands()) {
        if (command.group != group) {
            group = command.group;
            text += heading(group);
        }
        text += section(command);
    }
    text += heading("Exit status");
    for (const auto& [code, meaning] : exit_codes()) text += entry(bold(code), meaning);
    text += heading("Environment") +
            entry(bold("NO_COLOR"), "Where it is set and not empty, --color auto gives no color.");
    text += heading("Examples") + filled("The checked evidence of the first fixture:");
    text += example("report");
    text +=
        ".PP\n" + filled("One forward pass over numbers of yours, with every intermediate tensor:");
    text += example("forward --input 3,4");
    text += ".PP\n" + filled("Is another program's output right, and if not, which mistake is it?");
    return text + example("judge --input 3,4 --result 0.8485278,1.1313704 --epsilon 1e-5");
}

}  // namespace rmsnorm::cli
