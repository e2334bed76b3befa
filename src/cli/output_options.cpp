#include "cli/output_options.hpp"

#include <algorithm>

#include "cli/choices.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/npy_output.hpp"
#include "cli/output.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

struct Ending {
    const char* name;
    Format format;
};
constexpr Ending endings[] = {
    {".json", Format::json}, {".html", Format::html}, {".txt", Format::text}};

constexpr Format all_formats[] = {Format::text, Format::trace, Format::json, Format::html};

std::optional<Format> format_named_by(const std::string& path) {
    const std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
    const auto* const found = std::find_if(std::begin(endings), std::end(endings),
                                           [&](const Ending& one) { return ending == one.name; });
    return found == std::end(endings) ? std::nullopt : std::optional(found->format);
}

// Those whose names the option takes, in its order.
std::vector<Format> formats_of(const Option& option) {
    std::vector<Format> offered;
    for (const std::string& name : option.choices()) {
        for (const Format format : all_formats) {
            if (format_name(format) == name) offered.push_back(format);
        }
    }
    return offered;
}

}  // namespace

std::string format_name(Format format) {
    switch (format) {
        case Format::text: return "text";
        case Format::trace: return "trace";
        case Format::json: return "json";
        case Format::html: return "html";
    }
    return "unknown";
}

std::string ending_help(const std::vector<std::string>& formats) {
    std::vector<std::string> names;
    for (const auto& [name, format] : endings) {
        const bool offered =
            std::find(formats.begin(), formats.end(), format_name(format)) != formats.end();
        if (offered) names.emplace_back(name);
    }
    const std::string last = names.back();
    names.pop_back();
    return "; a name ending in " + listed(names) + " or " + last +
           " chooses the format unless --format does";
}

std::optional<Format> format_among(const std::vector<Format>& offered,
                                   const std::optional<std::string>& name,
                                   const std::string& path) {
    const std::optional<Format> by_path = name ? std::nullopt : format_named_by(path);
    for (const Format format : offered) {
        if (name ? format_name(format) == *name : format == by_path) return format;
    }
    if (name) return std::nullopt;
    if (by_path) {
        std::vector<std::string> names;
        for (const Format format : offered) names.push_back(format_name(format));
        throw InputError(
            "--output: found " + quoted(path) + ", the name of a format that is not " +
            "written here; accepted: another ending, or --format with one of: " + listed(names));
    }
    return offered.front();
}

void add_output_options(std::vector<Option>& options, const std::vector<Format>& formats,
                        Arrays arrays) {
    std::vector<std::string> names;
    for (const Format format : formats) names.push_back(format_name(format));
    options.push_back({.names = "--format",
                       .value_name = "FORMAT",
                       .help = "the output's format: " + listed(names),
                       .default_text = names.front(),
                       .check =
                           [names](const std::string& value) {
                               if (std::find(names.begin(), names.end(), value) != names.end())
                                   return;
                               refuse_choice("--format", value, names);
                           },
                       .choices = [names] { return names; }});
    options.push_back(path_option(arrays));
    options.back().help += ending_help(names);
}

Option path_option(Arrays arrays) {
    return {.names = "-o,--output",
            .value_name = "FILE",
            .help = "write to this file, completely or not at all; - is standard output",
            .default_text = "-",
            .check = [arrays](const std::string& value) {
                if (value.empty()) {
                    throw InputError(
                        "--output: found \"\"; accepted: a file name, or - for "
                        "standard output");
                }
                if (arrays == Arrays::none && names_npy(value)) {
                    throw InputError("--output: found " + quoted(value) +
                                     "; accepted: a name without .npy, which experiments "
                                     "with tensors write");
                }
            }};
}

std::string output_path(const std::vector<Option>& options) {
    return value_of(options, "--output").value_or("-");
}

Option force_option() {
    return {.names = "--force",
            .value_name = "",
            .help = "let --output overwrite a file that is an input",
            .default_text = ""};
}

Option full_option() {
    return {.names = "--full",
            .value_name = "",
            .help = "print tensors of more than " + std::to_string(report::most_values) +
                    " values in full",
            .default_text = ""};
}

Option checks_option() {
    return {.names = "--checks",
            .value_name = "",
            .help = "add a line for each check to the text (JSON always has them)",
            .default_text = ""};
}

Option certify_option() {
    return {.names = "--certify",
            .value_name = "",
            .help = "compare every printed digit with the exact result",
            .default_text = ""};
}

OutputOptions requested_output(const std::vector<Option>& options) {
    OutputOptions output;
    output.path = output_path(options);
    output.extent = given(options, "--full") ? report::Extent::full : report::Extent::abridged;
    output.checks = given(options, "--checks");
    output.certify = given(options, "--certify");
    if (given(options, "--force")) allow_overwritten_inputs();
    const auto format = std::find_if(options.begin(), options.end(), [](const Option& option) {
        return option.names == "--format";
    });
    if (format == options.end()) return output;
    output.format_given = format->given();
    output.format = *format_among(formats_of(*format), value_of(options, "--format"), output.path);
    return output;
}

int exit_code_of(const std::vector<evidence::Check>& checks) {
    for (const evidence::Check& check : checks) {
        if (check.passed) continue;
        print_error("check " + check.name +
                    (check.decided ? " failed: measured " : " is undecided: measured ") +
                    numeric::shortest(check.measure) + ", bound " + numeric::shortest(check.bound) +
                    " (" + check.statement + ")");
    }
    return evidence::all_passed(checks) ? done : check_failed;
}

}  // namespace rmsnorm::cli
