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

Format requested_format(const Fixture& chosen, const std::string& name) {
    std::vector<std::string> names;
    for (const Format format : formats(chosen)) {
        if (name.empty() || format_name(format) == name) return format;
        names.push_back(format_name(format));
    }
    throw InputError("--format: found " + quoted(name) + "; accepted for " +
                     std::string(chosen.id) + ": " + listed(names));
}

FixtureReport rendered(const Fixture& chosen, const Request& request) {
    // Without a format the first one that has a place for certificates.
    if (!request.certify) return chosen.render(requested_format(chosen, request.format));
    const Format format =
        request.format.empty() ? Format::text : requested_format(chosen, request.format);
    if (auto report = chosen.certified(format)) return std::move(*report);
    throw InputError("--certify: found beside --format " + format_name(format) + "; accepted for " +
                     std::string(chosen.id) + ": --format text" +
                     (chosen.document != nullptr ? " or json" : ""));
}

}  // namespace

Invocation prepare_report() {
    const auto request = std::make_shared<Request>();
    std::vector<std::string_view> ids;
    std::vector<std::string> names;
    for (const Fixture& known : fixtures()) {
        ids.push_back(known.id);
        for (const Format format : formats(known)) {
            const std::string name = format_name(format);
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "FIXTURE",
         .help = "one of: " + listed(ids),
         .default_text = request->fixture,
         .accept = [request](const std::string& id) { request->fixture = fixture(id).id; }},
        {.names = "--format",
         .value_name = "FORMAT",
         .help = "how the evidence is shown: " + listed(names),
         .default_text = names.front(),
         .accept =
             [request](const std::string& name) {
                 if (name.empty())
                     throw InputError("--format: found \"\"; accepted: a format's name");
                 request->format = name;
             }},
        path_option(request->path),
        certify_option(request->certify)};
    invocation.run = [request](const auto&) {
        const Fixture& chosen = fixture(request->fixture);
        const FixtureReport report = rendered(chosen, *request);
        write_output(request->path, report.bytes);
        return exit_code_of(report.checks);
    };
    return invocation;
}

}  // namespace rmsnorm::cli
