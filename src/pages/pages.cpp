#include "pages/pages.hpp"

#include <algorithm>

#include "experiments/exhibit/bundled.hpp"
#include "pages/escape.hpp"
#include "pages/lookup.hpp"
#include "report/exhibit.hpp"
#include "report/json.hpp"
#include "report/version.hpp"

namespace rmsnorm::pages {
namespace {

using evidence::Array;
using evidence::Record;
using report::Document;

// What every page has, and how many of the document's checks held.
Content content_of(std::string_view heading, const std::vector<evidence::Check>& checks) {
    const auto held = std::count_if(checks.begin(), checks.end(),
                                    [](const evidence::Check& check) { return check.passed; });
    Content content;
    content.arguments = {{"program", std::string(report::program_name)},
                         {"version", std::string(report::program_version())},
                         {"heading", std::string(heading)},
                         {"checks", std::to_string(checks.size())},
                         {"held", std::to_string(held)}};
    auto all = evidence::Decision::holds;
    for (const evidence::Check& check : checks) all = both(all, decision(check));
    if (all == evidence::Decision::holds) content.arguments["all-held"] = "yes";
    if (all == evidence::Decision::undecided) content.arguments["undecided"] = "yes";
    return content;
}

// What the digits of a document's figures are worth, for the list at the end of a page.
void add_worths(Content& content, const std::string& block,
                const evidence::Certification& certification) {
    constexpr int digits = 25;
    // The summary is that of the page's own document, which is the first.
    content.arguments.emplace("certification", evidence::summary(certification));
    for (const evidence::CertifiedFigure& figure : certification.figures) {
        for (std::size_t i = 0; i < figure.certificates.size(); ++i) {
            const evidence::Certificate& one = figure.certificates[i];
            const std::string path = figure.path_of(i);
            const evidence::WorthLine line{path, &one};
            content.lists["worths"].push_back({{"id", escaped(FigureLookup::worth_id(block, path))},
                                               {"of", escaped(path)},
                                               {"worth", worth_text(one)},
                                               {"low", one.exact.low(digits)},
                                               {"high", one.exact.high(digits)},
                                               {"error", line.error()},
                                               {"bound", line.bound()}});
        }
    }
}

void add(Content& content, const std::string& block, const std::string& file,
         const Document& document, report::Extent extent = report::Extent::abridged) {
    if (document.certification) add_worths(content, block, *document.certification);
    content.documents.emplace_back(block, document);
    content.blocks.push_back({block, file, report::json(document, extent)});
}

std::string label_of(const experiments::Graph& graph, const std::string& id) {
    const auto found = std::find_if(graph.layers.begin(), graph.layers.end(),
                                    [&](const auto& one) { return one.id == id; });
    return found == graph.layers.end() ? id : found->label;
}

Record layer_record(const experiments::Graph& graph, const experiments::Layer& layer) {
    Array feeds;
    for (const experiments::Connection& connection : graph.connections) {
        if (connection.source == layer.id)
            feeds.items.emplace_back(label_of(graph, connection.target));
    }
    Array parameters;
    for (const auto& [name, value] : layer.params) {
        Record one;
        one.add("name", name);
        if (const auto* words = std::get_if<std::string>(&value)) one.add("words", *words);
        if (const auto* count = std::get_if<std::uint64_t>(&value)) one.add("figure", *count);
        if (const auto* figure = std::get_if<double>(&value)) {
            one.add("figure", evidence::exact_scalar(*figure));
        }
        parameters.items.emplace_back(std::move(one));
    }
    Record record;
    record.add("label", layer.label)
        .add("operation", layer.op)
        .add("parameters", std::move(parameters))
        .add("feeds", std::move(feeds));
    if (const auto line = experiments::line_of(layer.statement, experiments::model_py())) {
        record.add("line", *line);
    }
    return record;
}

// The lines of model.py, and which of them a layer names.
Array source_lines(const experiments::Graph& graph) {
    const std::string_view source = experiments::model_py();
    Array lines;
    for (std::size_t start = 0; start < source.size();) {
        const std::size_t end = std::min(source.find('\n', start), source.size());
        const std::size_t number = lines.items.size() + 1;
        const bool cited = std::any_of(
            graph.layers.begin(), graph.layers.end(), [&](const experiments::Layer& layer) {
                return experiments::line_of(layer.statement, source) == number;
            });
        lines.items.emplace_back(Record()
                                     .add("text", std::string(source.substr(start, end - start)))
                                     .add("cited", cited));
        start = end + 1;
    }
    return lines;
}

// The exhibit as a document: what its page shows, with the figures as they are displayed, which the
// manifest does not hold.
Document exhibit_document(const experiments::Exhibit& exhibit) {
    Document document{
        report::DocumentKind::experiment, "exhibit-rmsnorm", Record(), {}, exhibit.checks};
    document.inputs.add(
        "epsilon",
        evidence::Scalar{exhibit.epsilon, evidence::difference_decimals(exhibit.epsilon)});
    Array cases;
    for (const experiments::ExhibitCase& one : exhibit.cases) {
        Record record;
        record.add("id", one.id).add("label", one.label).add("note", one.note);
        for (evidence::Field& field : results(one.comparison).fields) {
            record.fields.push_back(std::move(field));
        }
        cases.items.emplace_back(std::move(record));
    }
    Array layers;
    for (const experiments::Layer& layer : exhibit.graph.layers) {
        layers.items.emplace_back(layer_record(exhibit.graph, layer));
    }
    Array steps;
    for (const experiments::Step& step : exhibit.steps) {
        steps.items.emplace_back(Record()
                                     .add("id", step.id)
                                     .add("target", label_of(exhibit.graph, step.target))
                                     .add("title", step.title)
                                     .add("note", step.note));
    }
    const auto figures = [](const tensor::Tensor& tensor) {
        return evidence::TensorFigure{tensor, {}, evidence::Precision::binary32};
    };
    // The output holds LayerNorm's rows, then RMSNorm's.
    const experiments::SeededForward& seeded = exhibit.seeded;
    const auto outputs = seeded.output.values();
    const auto half = [&](std::size_t start) {
        const auto first = outputs.begin() + static_cast<std::ptrdiff_t>(start);
        const auto size = static_cast<std::ptrdiff_t>(seeded.input.size());
        return tensor::Tensor(seeded.input.shape(), std::vector<double>(first, first + size));
    };
    document.results.add("cases", std::move(cases))
        .add("layers", std::move(layers))
        .add("steps", std::move(steps))
        .add("source", source_lines(exhibit.graph))
        .add("seeded", Record()
                           .add("seed", seeded.seed)
                           .add("input", figures(seeded.input))
                           .add("layer_norm", figures(half(0)))
                           .add("rms_norm", figures(half(seeded.input.size()))));
    return document;
}

// The certification of the exhibit's results, as that of the figures that its page shows and in
// their order.
evidence::Certification displayed(const evidence::Certification& all,
                                  const std::vector<experiments::ExhibitCase>& cases,
                                  const experiments::SeededForward& seeded) {
    evidence::Certification shown;
    shown.checks = all.checks;
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const std::string prefix = cases[k].id + "/";
        for (const evidence::CertifiedFigure& figure : all.figures) {
            if (figure.path.rfind(prefix, 0) != 0) continue;
            shown.figures.push_back(figure);
            shown.figures.back().path =
                "cases/" + std::to_string(k) + "/" + figure.path.substr(prefix.size());
        }
    }
    const auto& input = all.find("seeded_input")->certificates;
    const auto& output = all.find("seeded_output")->certificates;
    const auto half = output.begin() + static_cast<std::ptrdiff_t>(seeded.input.size());
    shown.figures.push_back({"seeded/input", false, input});
    shown.figures.push_back({"seeded/layer_norm", false, {output.begin(), half}});
    shown.figures.push_back({"seeded/rms_norm", false, {half, output.end()}});
    return shown;
}

}  // namespace

std::string chapter_page(const Document& chapter, const Document& sweep, const Document& scale,
                         Branches branches) {
    Content content = content_of(chapter_heading, chapter.checks);
    add(content, "evidence", chapter.id + ".json", chapter);
    add(content, "sweep-evidence", "", sweep);
    add(content, "scale-evidence", "", scale);
    return filled("chapter.html", content, branches);
}

std::string book_page(const Document& book, const Document& stats, const Document& drift,
                      Branches branches) {
    Content content = content_of(book_heading, book.checks);
    add(content, "evidence", book.id + ".json", book);
    add(content, "stats-evidence", "", stats);
    add(content, "drift-evidence", "", drift);
    return filled("book.html", content, branches);
}

std::string exhibit_page(const experiments::Exhibit& exhibit, const std::string& manifest,
                         const std::optional<evidence::Certification>& certification,
                         Branches branches) {
    Content content = content_of(exhibit_heading, exhibit.checks);
    namespace words = report::exhibit_words;
    content.arguments["manifest-title"] = escaped(words::title);
    content.arguments["manifest-question"] = escaped(words::question);
    content.arguments["manifest-description"] = escaped(words::description);
    content.arguments["manifest-limitations"] = escaped(words::limitations);
    content.arguments["opening"] = escaped(words::opening_step);
    content.blocks.push_back({"manifest", "exhibit.json", manifest});
    Document document = exhibit_document(exhibit);
    if (certification) {
        document.certification = displayed(*certification, exhibit.cases, exhibit.seeded);
    }
    add(content, "evidence", "", document);
    return filled("exhibit.html", content, branches);
}

std::string experiment_page(const Document& document, report::Extent extent, Branches branches) {
    Content content = content_of(escaped(document.id), document.checks);
    content.arguments["id"] = escaped(document.id);
    add(content, "evidence", document.id + ".json", document, extent);
    return filled("experiment.html", content, branches);
}

std::string index_page(const std::vector<IndexEntry>& entries) {
    Content content = content_of("", {});
    for (const IndexEntry& entry : entries) {
        content.lists["pages"].push_back({{"id", escaped(entry.id)},
                                          {"title", escaped(entry.title)},
                                          {"file", escaped(entry.file)},
                                          {"summary", escaped(entry.summary)}});
    }
    return filled("index.html", content);
}

}  // namespace rmsnorm::pages
