#include "pages/explore/explorer.hpp"

#include <algorithm>
#include <string>
#include <string_view>

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

// A style sheet of all pages.
std::string_view shared(std::string_view name) {
    const auto files = embedded_templates();
    return std::find_if(files.begin(), files.end(),
                        [&](const EmbeddedFile& file) { return file.name == name; })
        ->bytes;
}

// Lines of a style sheet, script or document without indentation, and without comments that begin
// and end with lines.
std::string compact(std::string_view source) {
    std::string text;
    bool in_comment = false;
    while (!source.empty()) {
        std::string_view line = source.substr(0, source.find('\n'));
        source.remove_prefix(std::min(line.size() + 1, source.size()));
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        in_comment = in_comment || line.starts_with("/*");
        if (!in_comment && !line.starts_with("//") && !line.empty()) text.append(line).append("\n");
        if (line.ends_with("*/")) in_comment = false;
    }
    return text;
}

}  // namespace

std::string explorer_page(const report::Document& chapter) {
    Content content;
    content.documents = {{"evidence", chapter}};
    content.blocks = {{"evidence", chapter.id + ".json", compact(report::json(chapter))}};
    content.arguments = {
        {"program", std::string(report::program_name)},
        {"version", std::string(report::program_version())},
        {"heading", std::string(explorer_heading)},
        {"style",
         compact(std::string(shared("style.css")).append(shared("media.css")) + files(".css"))},
        {"script", compact(files(".js"))},
        {"core", base64(files(".lzma"))}};
    return filled_text(files(".html"), content, Branches::taken, "explorer.html");
}

}  // namespace rmsnorm::pages
