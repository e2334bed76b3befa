// rmsnorm-fixture report: a fixture's checked evidence.
#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/fixtures.hpp"
#include "cli/output.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::string fixture = std::string(fixtures().front().id);
    std::string format;
    std::string path = "-";
    bool certify = false;
};

// A file's name asks for a format where nothing else does.
Format requested_format(const Fixture& chosen, std::string name, const std::string& path) {
    const auto named = format_named_by(path);
    const std::vector<Format> offered = formats(chosen);
    if (name.empty() && named && std::find(offered.begin(), offered.end(), *named) != offered.end())
        name = format_name(*named);
    std::vector<std::string> names;
    for (const Format format : offered) {
        if (name.empty() || format_name(format) == name) return format;
        names.push_back(format_name(format));
    }
    throw InputError("--format: found " + quoted(name) + "; accepted for " +
                     std::string(chosen.id) + ": " + listed(names));
}

}  // namespace

Invocation prepare_report() {
    const auto request = std::make_shared<Request>();
    std::vector<std::string> names;
    for (const Fixture& known : fixtures()) {
        for (const Format format : formats(known)) {
            const std::string name = format_name(format);
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "FIXTURE",
         .help = "one of: " + listed(fixture_ids()),
         .default_text = request->fixture,
         .accept = [request](const std::string& id) { request->fixture = fixture(id).id; },
         .choices = fixture_ids},
        {.names = "--format",
         .value_name = "FORMAT",
         .help = "how the evidence is shown: " + listed(names),
         .default_text = names.front(),
         .accept =
             [request](const std::string& name) {
                 if (name.empty())
                     throw InputError("--format: found \"\"; accepted: a format's name");
                 request->format = name;
             },
         .choices = [names] { return names; }},
        path_option(request->path),
        certify_option(request->certify)};
    invocation.options[2].help += ending_help;
    invocation.run = [request](const auto&) {
        const Fixture& chosen = fixture(request->fixture);
        const FixtureReport report = chosen.render(
            requested_format(chosen, request->format, request->path), request->certify);
        write_output(request->path, report.bytes);
        return exit_code_of(report.checks);
    };
    return invocation;
}

}  // namespace rmsnorm::cli
