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

void add_output_options(std::vector<Option>& options, OutputOptions& output,
                        const std::vector<Format>& formats, Arrays arrays) {
    std::vector<std::string> names;
    for (const Format format : formats) names.push_back(format_name(format));
    output.format = formats.front();
    options.push_back({.names = "--format",
                       .value_name = "FORMAT",
                       .help = "how the evidence is shown: " + listed(names),
                       .default_text = names.front(),
                       .accept = [&output, formats, names](const std::string& value) {
                           const auto found = std::find(names.begin(), names.end(), value);
                           if (found == names.end()) {
                               throw InputError("--format: found " + quoted(value) +
                                                "; accepted: " + listed(names));
                           }
                           output.format_given = true;
                           output.format = formats[static_cast<std::size_t>(found - names.begin())];
                       }});
    options.push_back(path_option(output.path, arrays));
}

Option path_option(std::string& path, Arrays arrays) {
    return {.names = "-o,--output",
            .value_name = "FILE",
            .help = "write there instead; whole or not at all, - for standard output",
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
