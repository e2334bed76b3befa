#include "cli/fixtures.hpp"

#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "experiments/exhibit/exhibit.hpp"
#include "experiments/normalization/book.hpp"
#include "experiments/rmsnorm/chapter.hpp"
#include "experiments/rmsnorm/sweep.hpp"
#include "pages/pages.hpp"
#include "report/book_text.hpp"
#include "report/exhibit.hpp"
#include "report/json.hpp"
#include "report/trace.hpp"
#include "report/vectors.hpp"

namespace rmsnorm::cli {
namespace {

report::Document chapter_document(const experiments::Chapter& chapter) {
    return {report::DocumentKind::fixture, "25-rmsnorm", {}, results(chapter), chapter.checks};
}

FixtureReport chapter_page(experiments::Chapter& chapter) {
    const experiments::Entry& entry = *experiments::named("sweep");
    const auto sweep = entry.make();
    sweep->run();
    FixtureReport page{pages::chapter_page(chapter_document(chapter), document_of(entry, *sweep)),
                       std::move(chapter.checks)};
    page.checks.insert(page.checks.end(), sweep->checks().begin(), sweep->checks().end());
    return page;
}

FixtureReport chapter_report(Format format) {
    experiments::Chapter chapter = experiments::chapter();
    const auto with_checks = [&](std::string bytes) {
        return FixtureReport{std::move(bytes), std::move(chapter.checks)};
    };
    switch (format) {
        case Format::trace: return with_checks(report::trace(chapter));
        case Format::json: return with_checks(report::json(chapter_document(chapter)));
        case Format::html: return chapter_page(chapter);
        default: return with_checks(experiments::text(chapter));
    }
}

FixtureReport exhibit_report(Format format) {
    const experiments::Exhibit exhibit = experiments::exhibit();
    switch (format) {
        case Format::text: return {report::exhibit_text(exhibit), exhibit.checks};
        case Format::html:
            return {pages::exhibit_page(exhibit, report::exhibit_manifest(exhibit)),
                    exhibit.checks};
        default: return {report::exhibit_manifest(exhibit), exhibit.checks};
    }
}

report::Document book_document(const experiments::normalization::Book& book) {
    return {report::DocumentKind::fixture, "23-normalization", {}, results(book), book.checks};
}

std::string book_page(const experiments::normalization::Book& book) {
    const experiments::normalization::Stats& stats = book.stats;
    return pages::book_page(book_document(book), {report::DocumentKind::experiment, "stats",
                                                  inputs(stats), results(stats), stats.checks});
}

FixtureReport book_report(Format format) {
    const experiments::normalization::Book book = experiments::normalization::book();
    switch (format) {
        case Format::json: return {report::json(book_document(book)), book.checks};
        case Format::html: return {book_page(book), book.checks};
        default: return {report::text(book), book.checks};
    }
}

using judge::vectors::Direction;
using numeric::NumberFormat;

template <NumberFormat format, Direction direction>
FixtureReport vectors_report(Format) {
    return {report::json(judge::vectors::vector_set(format, direction)), {}};
}

// The names of a set, for as long as the program runs.
struct VectorNames {
    std::string id;
    std::string mark;
    std::string file;
};

template <NumberFormat format, Direction direction>
Fixture vectors_fixture() {
    const std::string id = report::vectors_name(format, direction);
    static const VectorNames names{id, "\"fixture\": \"" + id + "\"",
                                   report::vectors_file_name(format, direction)};
    return {names.id,
            "test vectors",
            "",
            {{Format::json, "{", names.mark, names.file}},
            vectors_report<format, direction>,
            nullptr};
}

}  // namespace

const std::vector<Fixture>& vector_fixtures() {
    static const std::vector<Fixture> all{
        vectors_fixture<NumberFormat::binary64, Direction::forward>(),
        vectors_fixture<NumberFormat::binary64, Direction::backward>(),
        vectors_fixture<NumberFormat::binary32, Direction::forward>(),
        vectors_fixture<NumberFormat::binary32, Direction::backward>(),
        vectors_fixture<NumberFormat::binary16, Direction::forward>(),
        vectors_fixture<NumberFormat::binary16, Direction::backward>(),
        vectors_fixture<NumberFormat::bfloat16, Direction::forward>(),
        vectors_fixture<NumberFormat::bfloat16, Direction::backward>()};
    return all;
}

const std::vector<Fixture>& fixtures() {
    static const std::vector<Fixture> all{
        {"25-rmsnorm",
         "RMSNorm forward and backward, scale, epsilon, batch, history, boundaries",
         pages::chapter_heading,
         {{Format::text, "chapter=25-rmsnorm\n", "", "report.txt"},
          {Format::trace, "META|", "|gain_name=", "trace.txt"},
          {Format::json, "{", "\"fixture\": \"25-rmsnorm\"", "report.json"},
          {Format::html, "<!doctype html>\n", "<meta name=\"fixture\" content=\"25-rmsnorm\">",
           "report.html"}},
         chapter_report,
         [] { return chapter_document(experiments::chapter()); }},
        {"exhibit-rmsnorm",
         "LayerNorm against RMSNorm on one vector: a model, its graph, a picture",
         pages::exhibit_heading,
         // A bundle's graph.tensorviz.json has the slug too, but no title.
         {{Format::json, "{", "\"title\": \"The length, not the mean\"", "exhibit.json"},
          {Format::text, "exhibit=exhibit-rmsnorm\n", "", "exhibit.txt"},
          {Format::html, "<!doctype html>\n", "<meta name=\"fixture\" content=\"exhibit-rmsnorm\">",
           "exhibit.html"}},
         exhibit_report,
         nullptr},
        {"23-normalization",
         "LayerNorm and RMSNorm in binary32: statistics, depth, gradients, exercises",
         pages::book_heading,
         {{Format::text, "fixture=23-normalization\n", "", "report.txt"},
          {Format::json, "{", "\"fixture\": \"23-normalization\"", "report.json"},
          {Format::html, "<!doctype html>\n",
           "<meta name=\"fixture\" content=\"23-normalization\">", "report.html"}},
         book_report,
         [] { return book_document(experiments::normalization::book()); }}};
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
