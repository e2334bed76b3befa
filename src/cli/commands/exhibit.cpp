// rmsnorm-fixture exhibit: the manifest of exhibit-rmsnorm, or the folder that holds its files too.
#include "experiments/exhibit/exhibit.hpp"

#include <optional>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/exit_code.hpp"
#include "cli/fixtures.hpp"
#include "cli/folder.hpp"
#include "cli/input/byte_stream.hpp"
#include "cli/output.hpp"
#include "report/exhibit.hpp"
#include "report/sha256.hpp"

namespace rmsnorm::cli {
namespace {

// Lines as sha256sum writes and checks them.
std::string sums(const std::vector<report::BundleFile>& files) {
    std::string lines;
    for (const report::BundleFile& file : files) {
        lines += report::sha256(file.bytes) + "  " + file.name + "\n";
    }
    return lines;
}

std::optional<report::CapturedRun> captured_run(const std::optional<std::string>& path) {
    constexpr std::size_t most_bytes = 1 << 20;
    if (!path) return std::nullopt;
    try {
        return report::captured_run(read_file(*path, most_bytes));
    } catch (const report::CapturedRunError& error) {
        throw InputError("--provenance " + *path + ": " + error.what());
    }
}

int write_bundle(const std::string& folder, const std::vector<Option>& options) {
    if (folder.empty()) throw InputError("--bundle: found \"\"; accepted: the name of a folder");
    if (given(options, "--format") || given(options, "--output")) {
        throw InputError(
            "--bundle: found --format or --output beside it; accepted: a bundle alone, whose "
            "exhibit.json is the manifest");
    }
    const auto captured = captured_run(value_of(options, "--provenance"));
    const experiments::Exhibit exhibit = experiments::exhibit();
    const int code = exit_code_of(exhibit.checks);
    if (code != done) return code;
    std::vector<report::BundleFile> files = report::exhibit_files(exhibit);
    files.insert(files.begin(), {"exhibit.json", report::exhibit_manifest(exhibit, captured)});
    write_bundle_folder(folder, files,
                        given(options, "--force") ? Existing::replaced : Existing::kept);
    write_output("-", sums(files));
    return done;
}

int run(const std::vector<Option>& options) {
    if (const auto folder = value_of(options, "--bundle")) return write_bundle(*folder, options);
    if (given(options, "--force"))
        throw InputError("--force: found without --bundle; accepted: with it");
    const OutputOptions output = requested_output(options);
    const auto provenance = value_of(options, "--provenance");
    if (provenance) {
        if (output.format != Format::json) {
            throw InputError("--provenance: found --format " + format_name(output.format) +
                             " beside it; accepted: --format json, or --bundle");
        }
        const auto captured = captured_run(provenance);
        const experiments::Exhibit exhibit = experiments::exhibit();
        write_output(output.path, report::exhibit_manifest(exhibit, captured));
        return exit_code_of(exhibit.checks);
    }
    const FixtureReport report = fixture("exhibit-rmsnorm").render(output.format, false);
    write_output(output.path, report.bytes);
    return exit_code_of(report.checks);
}

}  // namespace

Invocation prepare_exhibit() {
    Invocation invocation;
    add_output_options(invocation.options, {Format::json, Format::text, Format::html});
    invocation.options.push_back(
        {.names = "--bundle",
         .value_name = "DIR",
         .help = "write the manifest and its files into a folder, completely or not at all",
         .default_text = ""});
    invocation.options.push_back({.names = "--provenance",
                                  .value_name = "FILE",
                                  .help = "put into the manifest what ran in PyTorch, from the "
                                          "provenance.json that the bundle's run.py wrote",
                                  .default_text = ""});
    invocation.options.push_back({.names = "--force",
                                  .value_name = "",
                                  .help = "replace an earlier bundle in that folder",
                                  .default_text = ""});
    invocation.run = run;
    return invocation;
}

}  // namespace rmsnorm::cli
