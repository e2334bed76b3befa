#include "cli/output_options.hpp"

#include <algorithm>

#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/npy_output.hpp"
#include "cli/output.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {

std::string format_name(Format format) {
    switch (format) {
        case Format::text: return "text";
        case Format::trace: return "trace";
        case Format::json: return "json";
        case Format::html: return "html";
    }
    return "unknown";
}

std::optional<Format> format_named_by(const std::string& path) {
    const std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
    if (ending == ".json") return Format::json;
    if (ending == ".html") return Format::html;
    if (ending == ".txt") return Format::text;
    return std::nullopt;
}

void add_output_options(std::vector<Option>& options, OutputOptions& output,
                        const std::vector<Format>& formats, Arrays arrays) {
    std::vector<std::string> names;
    for (const Format format : formats) names.push_back(format_name(format));
    output.format = formats.front();
    options.push_back({.names = "--format",
                       .value_name = "FORMAT",
                       .help = "how the evidence is shown: " + listed(names),
                       .default_text = names.front(),
                       .accept =
                           [&output, formats, names](const std::string& value) {
                               const auto found = std::find(names.begin(), names.end(), value);
                               if (found == names.end()) {
                                   throw InputError("--format: found " + quoted(value) +
                                                    "; accepted: " + listed(names));
                               }
                               output.format_given = true;
                               output.format =
                                   formats[static_cast<std::size_t>(found - names.begin())];
                           },
                       .choices = [names] { return names; }});
    Option path = path_option(output.path, arrays);
    path.help += ending_help;
    path.accept = [&output, formats, accept = path.accept](const std::string& value) {
        accept(value);
        const auto named = format_named_by(value);
        const bool offered =
            named && std::find(formats.begin(), formats.end(), *named) != formats.end();
        if (offered && !output.format_given) output.format = *named;
    };
    options.push_back(std::move(path));
}

Option path_option(std::string& path, Arrays arrays) {
    return {.names = "-o,--output",
            .value_name = "FILE",
            .help = "write there, whole or not at all; - is standard output",
            .default_text = "-",
            .accept = [&path, arrays](const std::string& value) {
                if (value.empty()) {
                    throw InputError(
                        "--output: found \"\"; accepted: a file name, or - for "
                        "standard output");
                }
                if (arrays == Arrays::none && names_npy(value)) {
                    throw InputError("--output: found " + quoted(value) +
                                     "; accepted: a name without .npy, which only forward and "
                                     "backward write");
                }
                path = value;
            }};
}

Option force_option() {
    return {.names = "--force",
            .value_name = "",
            .help = "let --output overwrite a file that is an input",
            .default_text = "",
            .accept = [](const std::string&) { allow_overwritten_inputs(); }};
}

void add_full_option(std::vector<Option>& options, OutputOptions& output) {
    options.push_back(
        {.names = "--full",
         .value_name = "",
         .help = "print tensors of more than " + std::to_string(report::most_values) +
                 " values in full",
         .default_text = "",
         .accept = [&output](const std::string&) { output.extent = report::Extent::full; }});
}

void add_checks_option(std::vector<Option>& options, OutputOptions& output) {
    options.push_back({.names = "--checks",
                       .value_name = "",
                       .help = "add a line for each check to the text (JSON always has them)",
                       .default_text = "",
                       .accept = [&output](const std::string&) { output.checks = true; }});
}

Option certify_option(bool& certify) {
    return {.names = "--certify",
            .value_name = "",
            .help = "tell what the printed digits are worth beside the exact results",
            .default_text = "",
            .accept = [&certify](const std::string&) { certify = true; }};
}

int exit_code_of(const std::vector<evidence::Check>& checks) {
    for (const evidence::Check& check : checks) {
        if (check.passed) continue;
        print_error("check " + check.name + " failed: measured " +
                    numeric::shortest(check.measure) + ", bound " + numeric::shortest(check.bound) +
                    " (" + check.statement + ")");
    }
    return evidence::all_passed(checks) ? done : check_failed;
}

}  // namespace rmsnorm::cli
