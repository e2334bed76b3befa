#include "cli/fixtures.hpp"

#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "experiments/exhibit/exhibit.hpp"
#include "experiments/normalization/book.hpp"
#include "experiments/normalization/drift.hpp"
#include "experiments/normalization/stats.hpp"
#include "experiments/rmsnorm/chapter.hpp"
#include "experiments/rmsnorm/sweep.hpp"
#include "pages/pages.hpp"
#include "report/exhibit.hpp"
#include "report/json.hpp"
#include "report/trace.hpp"

namespace rmsnorm::cli {
namespace {

report::Document chapter_document(const experiments::Chapter& chapter) {
    return {report::DocumentKind::fixture, "25-rmsnorm", {}, results(chapter), chapter.checks};
}

// A document of an experiment with its own values, which the page carries beside the chapter's.
report::Document beside(const char* id, std::vector<evidence::Check>& checks) {
    const experiments::Entry& entry = *experiments::named(id);
    const auto experiment = entry.make();
    experiment->run();
    checks.insert(checks.end(), experiment->checks().begin(), experiment->checks().end());
    return document_of(entry, *experiment);
}

FixtureReport chapter_page(experiments::Chapter& chapter) {
    std::vector<evidence::Check> checks = chapter.checks;
    const report::Document sweep = beside("sweep", checks);
    const report::Document scale = beside("scale", checks);
    return {pages::chapter_page(chapter_document(chapter), sweep, scale), std::move(checks)};
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

// With the run in PyTorch that a manifest names.
FixtureReport exhibit_manifest_like(std::string_view golden) {
    const experiments::Exhibit exhibit = experiments::exhibit();
    return {report::exhibit_manifest(exhibit, report::captured_run_in(golden)), exhibit.checks};
}

report::Document book_document(const experiments::normalization::Book& book) {
    return {
        report::DocumentKind::fixture, "23-normalization", {}, results(book), book.proof.checks};
}

// An experiment's document, whose checks join the report's.
template <class Evidence>
report::Document beside(const char* id, const Evidence& evidence,
                        std::vector<evidence::Check>& checks) {
    checks.insert(checks.end(), evidence.checks.begin(), evidence.checks.end());
    return {report::DocumentKind::experiment, id, inputs(evidence), results(evidence),
            evidence.checks};
}

FixtureReport book_page(const experiments::normalization::Book& book) {
    namespace normalization = experiments::normalization;
    std::vector<evidence::Check> checks = book.proof.checks;
    // The statistics and their checks are the book's.
    normalization::StatsInputs inputs;
    const normalization::Stats statistics = normalization::stats(inputs);
    const report::Document stats{report::DocumentKind::experiment, "stats",
                                 evidence::record_of(inputs.declared()), results(statistics),
                                 statistics.checks};
    const report::Document drift =
        beside("drift", normalization::drift(normalization::book_drift_case()), checks);
    return {pages::book_page(book_document(book), stats, drift), std::move(checks)};
}

FixtureReport book_report(Format format) {
    const experiments::normalization::Book book = experiments::normalization::book();
    switch (format) {
        case Format::json: return {report::json(book_document(book)), book.proof.checks};
        case Format::html: return book_page(book);
        default: return {experiments::normalization::text(book), book.proof.checks};
    }
}

}  // namespace

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
         nullptr,
         exhibit_manifest_like},
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

std::vector<std::string> fixture_ids() {
    std::vector<std::string> ids;
    for (const Fixture& known : fixtures()) ids.emplace_back(known.id);
    return ids;
}

const Fixture& fixture(const std::string& id) {
    for (const Fixture& known : fixtures()) {
        if (known.id == id) return known;
    }
    throw InputError("fixture: found " + quoted(id) + "; accepted: " + listed(fixture_ids()));
}

std::vector<Format> formats(const Fixture& fixture) {
    std::vector<Format> all;
    for (const Rendering& rendering : fixture.renderings) all.push_back(rendering.format);
    return all;
}

}  // namespace rmsnorm::cli
