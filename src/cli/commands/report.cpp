// rmsnorm-fixture report: a fixture's checked evidence.
#include <algorithm>
#include <optional>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/fixtures.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

namespace rmsnorm::cli {
namespace {

Format requested_format(const Fixture& chosen, const std::optional<std::string>& name,
                        const std::string& path) {
    const std::vector<Format> offered = formats(chosen);
    if (const auto format = format_among(offered, name, path)) return *format;
    std::vector<std::string> names;
    for (const Format format : offered) names.push_back(format_name(format));
    throw InputError("--format: found " + quoted(*name) + "; accepted for " +
                     std::string(chosen.id) + ": " + listed(names));
}

}  // namespace

Invocation prepare_report() {
    std::vector<std::string> names;
    names.reserve(4);
    for (const Fixture& known : fixtures()) {
        for (const Format format : formats(known)) {
            const std::string name = format_name(format);
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    Invocation invocation;
    std::vector<Option>& options = invocation.options;
    options.reserve(4);
    options.push_back({.names = "",
                       .value_name = "FIXTURE",
                       .help = "one of: " + listed(fixture_ids()),
                       .default_text = std::string(fixtures().front().id),
                       .choices = fixture_ids});
    options.push_back({.names = "--format",
                       .value_name = "FORMAT",
                       .help = "the output's format: " + listed(names),
                       .default_text = names.front(),
                       .choices = [names] { return names; }});
    options.push_back(path_option());
    options.back().help += ending_help(names);
    options.push_back(certify_option());
    invocation.run = [](const auto& chosen_options) {
        const auto id = value_of(chosen_options, "FIXTURE");
        const Fixture& chosen = id ? fixture(*id) : fixtures().front();
        const std::string path = output_path(chosen_options);
        Waiting waiting;
        const FixtureReport report =
            chosen.render(requested_format(chosen, value_of(chosen_options, "--format"), path),
                          given(chosen_options, "--certify"));
        waiting.end();
        write_output(path, report.bytes);
        return exit_code_of(report.checks);
    };
    return invocation;
}

}  // namespace rmsnorm::cli
