// rmsnorm-fixture site: a folder with a page for each fixture and an index.
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/fixtures.hpp"
#include "cli/folder.hpp"
#include "pages/pages.hpp"

namespace rmsnorm::cli {
namespace {

bool has_page(const Fixture& fixture) {
    const auto all = formats(fixture);
    return std::find(all.begin(), all.end(), Format::html) != all.end();
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
