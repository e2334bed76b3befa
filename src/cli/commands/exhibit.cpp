// rmsnorm-fixture exhibit: the manifest of exhibit-rmsnorm, or the folder that holds its files too.
#include "experiments/exhibit/exhibit.hpp"

#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/fixtures.hpp"
#include "cli/folder.hpp"
#include "cli/output.hpp"
#include "report/exhibit.hpp"
#include "report/sha256.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    OutputOptions output;
    std::optional<std::string> bundle;
    bool force = false;
    bool shown = false;  // --format or --output was given
};

// Lines as sha256sum writes and checks them.
std::string sums(const std::vector<report::BundleFile>& files) {
    std::string lines;
    for (const report::BundleFile& file : files) {
        lines += report::sha256(file.bytes) + "  " + file.name + "\n";
    }
    return lines;
}

int write_bundle(const std::string& path, Existing existing) {
    const experiments::Exhibit exhibit = experiments::exhibit();
    const int code = exit_code_of(exhibit.checks);
    if (code != done) return code;
    std::vector<report::BundleFile> files = report::exhibit_files(exhibit);
    files.insert(files.begin(), {"exhibit.json", report::exhibit_manifest(exhibit)});
    write_bundle_folder(path, files, existing);
    write_output("-", sums(files));
    return done;
}

int run(const Request& request) {
    if (request.bundle) {
        if (request.shown) {
            throw InputError(
                "--bundle: found --format or --output beside it; accepted: a bundle alone, whose "
                "exhibit.json is the manifest");
        }
        return write_bundle(*request.bundle, request.force ? Existing::replaced : Existing::kept);
    }
    if (request.force) throw InputError("--force: found without --bundle; accepted: with it");
    const FixtureReport report = fixture("exhibit-rmsnorm").render(request.output.format);
    write_output(request.output.path, report.bytes);
    return exit_code_of(report.checks);
}

}  // namespace

Invocation prepare_exhibit() {
    const auto request = std::make_shared<Request>();
    Invocation invocation;
    add_output_options(invocation.options, request->output,
                       {Format::json, Format::text, Format::html});
    for (Option& option : invocation.options) {
        option.accept = [request, accept = option.accept](const std::string& value) {
            accept(value);
            request->shown = true;
        };
    }
    invocation.options.push_back(
        {.names = "--bundle",
         .value_name = "DIR",
         .help = "write the manifest with its files into a folder; whole or not at all",
         .default_text = "",
         .accept = [request](const std::string& path) {
             if (path.empty()) {
                 throw InputError("--bundle: found \"\"; accepted: the name of a folder");
             }
             request->bundle = path;
         }});
    invocation.options.push_back(
        {.names = "--force",
         .value_name = "",
         .help = "replace an earlier bundle in that folder",
         .default_text = "",
         .accept = [request](const std::string&) { request->force = true; }});
    invocation.run = [request](const auto&) { return run(*request); };
    return invocation;
}

}  // namespace rmsnorm::cli
