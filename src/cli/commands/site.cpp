// rmsnorm-fixture site: a folder with a page for each fixture, the explorer and an index;
// rmsnorm-fixture explore: the explorer alone.
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/fixtures.hpp"
#include "cli/folder.hpp"
#include "cli/output.hpp"
#include "cli/output_options.hpp"
#include "pages/explore/explorer.hpp"
#include "pages/pages.hpp"

namespace rmsnorm::cli {
namespace {

bool has_page(const Fixture& fixture) {
    const auto all = formats(fixture);
    return std::find(all.begin(), all.end(), Format::html) != all.end();
}

// The checks are those of the chapter, which the page carries.
std::string explorer(std::vector<evidence::Check>& checks) {
    const report::Document chapter = fixture("25-rmsnorm").document();
    checks.insert(checks.end(), chapter.checks.begin(), chapter.checks.end());
    return pages::explorer_page(chapter);
}

// Everything is computed before anything is written.
std::vector<report::BundleFile> all_pages(std::vector<evidence::Check>& checks) {
    std::vector<report::BundleFile> files;
    std::vector<pages::IndexEntry> entries;
    for (const Fixture& fixture : fixtures()) {
        if (!has_page(fixture)) continue;
        const std::string id(fixture.id);
        FixtureReport report = fixture.render(Format::html, false);
        checks.insert(checks.end(), report.checks.begin(), report.checks.end());
        files.push_back({id + ".html", std::move(report.bytes)});
        entries.push_back(
            {id, std::string(fixture.page_title), id + ".html", std::string(fixture.summary)});
    }
    files.push_back({"explore.html", explorer(checks)});
    entries.push_back({"explore", std::string(pages::explorer_heading), "explore.html",
                       "Eight views of RMSNorm that compute in the browser, with the program's own "
                       "code and bits."});
    // The index comes last: it never points at a page that is not there yet.
    files.push_back({"index.html", pages::index_page(entries)});
    return files;
}

int write_site(const std::vector<Option>& options) {
    const std::string folder = *value_of(options, "DIR");
    if (folder.empty()) throw InputError("DIR: found \"\"; accepted: a folder's name");
    std::vector<evidence::Check> checks;
    const std::vector<report::BundleFile> files = all_pages(checks);
    write_among_others(folder, files,
                       given(options, "--force") ? Existing::replaced : Existing::kept);
    return exit_code_of(checks);
}

}  // namespace

Invocation prepare_explore() {
    Invocation invocation;
    invocation.options = {path_option()};
    invocation.run = [](const auto& options) {
        std::vector<evidence::Check> checks;
        write_output(output_path(options), explorer(checks));
        return exit_code_of(checks);
    };
    return invocation;
}

Invocation prepare_site() {
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "DIR",
         .help = "a folder, created if missing; all pages are written, or none",
         .default_text = "",
         .required = true},
        {.names = "--force",
         .value_name = "",
         .help = "replace earlier pages in that folder; other files are left alone",
         .default_text = ""}};
    invocation.run = write_site;
    return invocation;
}

}  // namespace rmsnorm::cli
