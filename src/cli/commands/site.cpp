// rmsnorm-fixture site: a folder with a page for each fixture and an index.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/fixtures.hpp"
#include "cli/output.hpp"
#include "report/html/index_page.hpp"

namespace rmsnorm::cli {
namespace {

namespace fs = std::filesystem;

struct PageFile {
    std::string name;
    std::string bytes;
};

bool has_page(const Fixture& fixture) {
    const auto all = formats(fixture);
    return std::find(all.begin(), all.end(), Format::html) != all.end();
}

// Everything is computed before anything is written.
std::vector<PageFile> all_pages(std::vector<evidence::Check>& checks) {
    std::vector<PageFile> pages;
    std::vector<report::html::IndexEntry> entries;
    for (const Fixture& fixture : fixtures()) {
        if (!has_page(fixture)) continue;
        const std::string id(fixture.id);
        FixtureReport report = fixture.render(Format::html);
        checks.insert(checks.end(), report.checks.begin(), report.checks.end());
        pages.push_back({id + ".html", std::move(report.bytes)});
        entries.push_back(
            {id, std::string(fixture.page_title), id + ".html", std::string(fixture.summary)});
    }
    // The index comes last: it never points at a page that is not there yet.
    pages.push_back({"index.html", report::html::index_page(entries)});
    return pages;
}

int write_site(const std::string& folder) {
    std::vector<evidence::Check> checks;
    const std::vector<PageFile> pages = all_pages(checks);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw IoError(folder + ": making the folder failed: " + error.message());
    for (const PageFile& page : pages) {
        const std::string path = (fs::path(folder) / page.name).string();
        write_file(path, page.bytes, path);
    }
    return exit_code_of(checks);
}

}  // namespace

Invocation prepare_site() {
    const auto folder = std::make_shared<std::string>();
    Invocation invocation;
    invocation.options = {
        {.names = "",
         .value_name = "DIR",
         .help = "a folder, made when it is not there; each page is written whole "
                 "or not at all",
         .default_text = "",
         .accept =
             [folder](const std::string& path) {
                 if (path.empty()) {
                     throw InputError("DIR: found \"\"; accepted: a folder's name");
                 }
                 *folder = path;
             },
         .required = true}};
    invocation.run = [folder] { return write_site(*folder); };
    return invocation;
}

}  // namespace rmsnorm::cli
