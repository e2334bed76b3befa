#include "cli/fixtures.hpp"

#include "cli/error.hpp"
#include "evidence/chapter.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "report/trace.hpp"

namespace rmsnorm::cli {
namespace {

report::Document chapter_document(const evidence::Chapter& chapter) {
    return {report::DocumentKind::fixture, "25-rmsnorm", {}, results(chapter), chapter.checks};
}

FixtureReport chapter_report(Format format) {
    const evidence::Chapter chapter = evidence::chapter();
    switch (format) {
        case Format::trace: return {report::trace(chapter), chapter.checks};
        case Format::json: return {report::json(chapter_document(chapter)), chapter.checks};
        default: return {report::text(chapter), chapter.checks};
    }
}

}  // namespace

const std::vector<Fixture>& fixtures() {
    static const std::vector<Fixture> all{
        {"25-rmsnorm",
         "RMSNorm forward and backward, scale, epsilon, batch, history, boundaries",
         {{Format::text, "chapter=25-rmsnorm\n", "", "report.txt"},
          {Format::trace, "META|", "|gain_name=", "trace.txt"},
          {Format::json, "{", "\"fixture\": \"25-rmsnorm\"", "report.json"}},
         chapter_report,
         [] { return chapter_document(evidence::chapter()); }}};
    return all;
}

const Fixture& fixture(const std::string& id) {
    std::vector<std::string_view> ids;
    for (const Fixture& known : fixtures()) {
        if (known.id == id) return known;
        ids.push_back(known.id);
    }
    throw InputError("fixture: found " + quoted(id) + "; accepted: " + listed(ids));
}

std::vector<Format> formats(const Fixture& fixture) {
    std::vector<Format> all;
    for (const Rendering& rendering : fixture.renderings) all.push_back(rendering.format);
    return all;
}

}  // namespace rmsnorm::cli
