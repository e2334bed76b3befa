#include "cli/fixtures.hpp"

#include "cli/choices.hpp"
#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "experiments/exhibit/exact.hpp"
#include "experiments/normalization/exact.hpp"
#include "experiments/rmsnorm/exact.hpp"
#include "pages/pages.hpp"
#include "report/exhibit.hpp"
#include "report/json.hpp"
#include "report/trace.hpp"
#include "report/vectors.hpp"

namespace rmsnorm::cli {
namespace {

report::Document chapter_document(const experiments::Chapter& chapter) {
    return {report::DocumentKind::fixture, "25-rmsnorm", {}, results(chapter), chapter.checks};
}

using Certified = std::optional<evidence::Certification>;

// What the figures of a fixture are worth, where that is asked.
template <class Evidence>
Certified certified(const Evidence& fixture, bool asked) {
    if (!asked) return std::nullopt;
    return evidence::certification(results(fixture),
                                   [&](int bits) { return exact_figures(fixture, bits); });
}

void join(std::vector<evidence::Check>& checks, const std::vector<evidence::Check>& more) {
    checks.insert(checks.end(), more.begin(), more.end());
}

// The report, in whose proof the check of the certification is not.
FixtureReport with_checks(std::string bytes, std::vector<evidence::Check> checks,
                          const Certified& certification) {
    if (certification) join(checks, certification->checks);
    return {std::move(bytes), std::move(checks), certification};
}

std::string text_of(const Certified& certification) {
    return certification ? evidence::text(*certification) : "";
}

report::Document with(report::Document document, const Certified& certification) {
    document.certification = certification;
    return document;
}

// A document of an experiment with its own values, which the page carries beside the chapter's.
report::Document beside(const char* id, bool certified, std::vector<evidence::Check>& checks) {
    const experiments::Entry& entry = *experiments::named(id);
    const auto experiment = entry.make();
    experiment->run();
    report::Document document = document_of(entry, *experiment);
    if (certified) certify(document, *experiment);
    join(checks, document.checks);
    return document;
}

FixtureReport chapter_page(const experiments::Chapter& chapter, const Certified& certification) {
    std::vector<evidence::Check> checks = chapter.checks;
    const report::Document sweep = beside("sweep", certification.has_value(), checks);
    const report::Document scale = beside("scale", certification.has_value(), checks);
    return with_checks(
        pages::chapter_page(with(chapter_document(chapter), certification), sweep, scale),
        std::move(checks), certification);
}

FixtureReport chapter_report(Format format, bool certify) {
    experiments::Chapter chapter = experiments::chapter();
    const Certified certification = certified(chapter, certify);
    std::string bytes;
    switch (format) {
        case Format::html: return chapter_page(chapter, certification);
        case Format::trace:
            bytes = report::trace(chapter);
            if (certification) bytes += report::trace(*certification);
            break;
        case Format::json:
            bytes = report::json(with(chapter_document(chapter), certification));
            break;
        case Format::text: bytes = experiments::text(chapter) + text_of(certification);
    }
    return with_checks(std::move(bytes), std::move(chapter.checks), certification);
}

report::Document exhibit_document(const experiments::Exhibit& exhibit) {
    return {report::DocumentKind::fixture, "exhibit-rmsnorm", {}, results(exhibit), exhibit.checks};
}

// The manifest holds numbers and not figures: certified ones stand in a document of their own.
FixtureReport exhibit_report(Format format, bool certify) {
    experiments::Exhibit exhibit = experiments::exhibit();
    const Certified certification = certified(exhibit, certify);
    std::string bytes;
    if (format == Format::text) {
        bytes = report::exhibit_text(exhibit) + text_of(certification);
    } else if (format == Format::html) {
        bytes = pages::exhibit_page(exhibit, report::exhibit_manifest(exhibit), certification);
    } else if (certification) {
        bytes = report::json(with(exhibit_document(exhibit), certification));
    } else {
        bytes = report::exhibit_manifest(exhibit);
    }
    return with_checks(std::move(bytes), std::move(exhibit.checks), certification);
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
report::Document beside(const char* id, const Evidence& evidence, bool certify,
                        std::vector<evidence::Check>& checks) {
    report::Document document{report::DocumentKind::experiment, id, inputs(evidence),
                              results(evidence), evidence.checks};
    document.certification = certified(evidence, certify);
    if (certify) join(document.checks, document.certification->checks);
    join(checks, document.checks);
    return document;
}

FixtureReport book_page(const experiments::normalization::Book& book,
                        const Certified& certification) {
    namespace normalization = experiments::normalization;
    std::vector<evidence::Check> checks = book.proof.checks;
    // The statistics and their checks are the book's.
    normalization::StatsInputs inputs;
    const normalization::Stats statistics = normalization::stats(inputs);
    const report::Document stats{report::DocumentKind::experiment, "stats",
                                 evidence::record_of(inputs.declared()), results(statistics),
                                 statistics.checks};
    const report::Document drift =
        beside("drift", normalization::drift(normalization::book_drift_case()),
               certification.has_value(), checks);
    return with_checks(pages::book_page(with(book_document(book), certification), stats, drift),
                       std::move(checks), certification);
}

FixtureReport book_report(Format format, bool certify) {
    experiments::normalization::Book book = experiments::normalization::book();
    const Certified certification = certified(book, certify);
    if (format == Format::html) return book_page(book, certification);
    std::string bytes;
    if (format == Format::json) {
        bytes = report::json(with(book_document(book), certification));
    } else {
        bytes = experiments::normalization::text(book) + text_of(certification);
    }
    return with_checks(std::move(bytes), std::move(book.proof.checks), certification);
}

using judge::vectors::Direction;
using numeric::NumberFormat;

// The names of a set, for as long as the program runs.
struct VectorNames {
    NumberFormat format;
    Direction direction;
    std::string id = report::vectors_name(format, direction);
    std::string mark = "\"fixture\": \"" + id + "\"";
    std::string file = report::vectors_file_name(format, direction);
};

std::vector<VectorNames> all_vector_names() {
    std::vector<VectorNames> all;
    for (const NumberFormat format : numeric::number_formats) {
        for (const Direction direction : judge::vectors::directions) {
            all.push_back({format, direction});
        }
    }
    return all;
}

Fixture vectors_fixture(const VectorNames& names) {
    return {
        names.id,
        "test vectors",
        "",
        {{Format::json, "{", names.mark, names.file}},
        [&names](Format, bool) -> FixtureReport {
            return {report::json(judge::vectors::vector_set(names.format, names.direction)), {}};
        },
        nullptr};
}

}  // namespace

const std::vector<Fixture>& vector_fixtures() {
    static const std::vector<VectorNames> names = all_vector_names();
    static const std::vector<Fixture> all = [] {
        std::vector<Fixture> made;
        for (const VectorNames& one : names) made.push_back(vectors_fixture(one));
        return made;
    }();
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
         [] { return exhibit_document(experiments::exhibit()); },
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
    refuse_choice("fixture", id, fixture_ids());
}

std::vector<Format> formats(const Fixture& fixture) {
    std::vector<Format> all;
    for (const Rendering& rendering : fixture.renderings) all.push_back(rendering.format);
    return all;
}

}  // namespace rmsnorm::cli
