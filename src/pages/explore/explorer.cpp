#include "pages/explore/explorer.hpp"

#include "pages/embedded.hpp"
#include "pages/escape.hpp"
#include "pages/filler.hpp"
#include "report/json.hpp"
#include "report/version.hpp"

namespace rmsnorm::pages {
namespace {

// The files with this ending, one after the other.
std::string files(std::string_view ending) {
    std::string bytes;
    for (const EmbeddedFile& file : embedded_explorer()) {
        if (file.name.ends_with(ending)) bytes += file.bytes;
    }
    return bytes;
}

}  // namespace

std::string explorer_page(const report::Document& chapter) {
    Content content;
    content.documents = {{"evidence", chapter}};
    content.blocks = {{"evidence", chapter.id + ".json", report::json(chapter)}};
    content.arguments = {{"program", std::string(report::program_name)},
                         {"version", std::string(report::program_version())},
                         {"heading", std::string(explorer_heading)},
                         {"style", files(".css")},
                         {"script", files(".js")},
                         {"core", base64(files(".gz"))}};
    return filled_text(files(".html"), content, Branches::taken, "explorer.html");
}

}  // namespace rmsnorm::pages
