#include "report/html/exhibit_page.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/exhibit/bundled.hpp"
#include "report/html/elements.hpp"
#include "report/html/escape.hpp"
#include "report/html/formulas.hpp"
#include "report/html/graph_drawing.hpp"
#include "report/html/page.hpp"
#include "report/html/sections.hpp"
#include "report/json.hpp"

namespace rmsnorm::report::html {
namespace {

// The figures of the exhibit as they are displayed, which its manifest does not hold. The claims'
// measures stand in the checks.
Document figures_of(const evidence::Exhibit& exhibit) {
    Document figures{
        DocumentKind::experiment, "exhibit-rmsnorm", evidence::Record(), {}, exhibit.checks};
    figures.inputs.add("epsilon", evidence::Scalar{exhibit.epsilon,
                                                   evidence::difference_decimals(exhibit.epsilon)});
    const evidence::Record all = results(exhibit);
    for (const evidence::Field& field : all.fields) {
        if (std::holds_alternative<evidence::Scalar>(field.datum.value)) continue;
        figures.results.fields.push_back(field);
    }
    return figures;
}

double largest_of(const tensor::Tensor& a, const tensor::Tensor& b) {
    double largest = 0;
    for (const tensor::Tensor* tensor : {&a, &b}) {
        for (const double value : tensor->values()) largest = std::max(largest, std::fabs(value));
    }
    return largest;
}

std::string mean_note(const View& view, const std::string& path) {
    return "<p class=\"note\">mean " + view.figure(path + "/two_lanes") + "</p>\n";
}

std::string case_panel(const View& view, const evidence::ExhibitCase& one, std::size_t number) {
    const std::string& id = one.id;
    const double largest = largest_of(one.comparison.layer_norm, one.comparison.rms_norm);
    return "<div class=\"case case-" + std::to_string(number) + "\">\n<p><b>" + escaped(one.label) +
           ".</b> " + escaped(one.note) + "</p>\n<div class=\"cards trio\">\n" +
           card(State::input, "Input",
                value_list(view, id + "/vector", "x") + "<p class=\"note\">mean " +
                    view.figure(id + "/mean") + "</p>\n") +
           card(State::normalized, "LayerNorm",
                value_list(view, id + "/layer_norm", "y", largest) +
                    mean_note(view, id + "/layer_norm_mean")) +
           card(State::output, "RMSNorm",
                value_list(view, id + "/rms_norm", "y", largest) +
                    mean_note(view, id + "/rms_norm_mean")) +
           "</div>\n<p>" + view.figure(id + "/statement") + ".</p>\n</div>\n";
}

// Radio buttons and a style sheet: the choice needs no script.
std::string choice(const View& view, const evidence::Exhibit& exhibit) {
    std::string text =
        "<fieldset class=\"choice\">\n<legend>What is done to the vector first</legend>\n";
    for (std::size_t i = 0; i < exhibit.cases.size(); ++i) {
        const std::string id = "choose-" + std::to_string(i + 1);
        text += "<input type=\"radio\" name=\"case\" id=\"" + id + "\" value=\"" +
                escaped(exhibit.cases[i].id) + "\"" + (i == 0 ? " checked" : "") +
                ">\n<label for=\"" + id + "\">" + escaped(exhibit.cases[i].label) + "</label>\n";
    }
    for (std::size_t i = 0; i < exhibit.cases.size(); ++i) {
        text += case_panel(view, exhibit.cases[i], i + 1);
    }
    return text +
           "</fieldset>\n<p class=\"note\">Solid: the input. Dashed: LayerNorm. Double: "
           "RMSNorm. The bars of both norms share one scale.</p>\n";
}

std::string orders_table(const View& view, const evidence::Exhibit& exhibit) {
    Table rows{"The mean of each output, its sum taken in three orders and divided once",
               {"case and norm", "ascending", "pairwise", "two lanes"},
               {},
               "",
               {1, 2, 3}};
    std::vector<std::string> paths;
    for (const evidence::ExhibitCase& one : exhibit.cases) {
        for (const std::string norm : {"layer_norm", "rms_norm"}) {
            for (const std::string order : {"ascending", "pairwise", "two_lanes"}) {
                paths.push_back(one.id + "/" + norm + "_mean/" + order);
            }
            rows.rows.push_back(
                {escaped(one.label) + ", " + (norm == "rms_norm" ? "RMSNorm" : "LayerNorm")});
        }
    }
    const auto cells = aligned(view, paths);
    for (std::size_t i = 0; i < cells.size(); ++i) rows.rows[i / 3].push_back(cells[i]);
    return region("Output means in three orders of summation", table(rows));
}

std::string graph_section(const evidence::Graph& graph) {
    Table rows{"Each layer, what it feeds, and the line of <code>model.py</code> that makes it",
               {"layer", "operation", "feeds", "line"},
               {},
               "words"};
    const auto label_of = [&](const std::string& id) {
        for (const evidence::Layer& layer : graph.layers) {
            if (layer.id == id) return layer.label;
        }
        return id;
    };
    for (const evidence::Layer& layer : graph.layers) {
        std::string feeds;
        for (const evidence::Connection& connection : graph.connections) {
            if (connection.source != layer.id) continue;
            feeds += (feeds.empty() ? "" : "; ") + escaped(label_of(connection.target));
        }
        const auto line = layer.statement.empty()
                              ? std::nullopt
                              : evidence::line_of(layer.statement, evidence::model_py());
        const std::string none = "\xe2\x80\x93";
        rows.rows.push_back({escaped(layer.label), "<code>" + escaped(layer.op) + "</code>",
                             feeds.empty() ? none : feeds, line ? std::to_string(*line) : none});
    }
    return "<figure>\n" + region("Drawing of the layer graph", graph_drawing(graph)) +
           "<figcaption>Dashed: a module, which stands for its parts. Thick: where the vector "
           "comes in and goes out.</figcaption>\n</figure>\n" +
           region("Layers and edges", table(rows));
}

std::string steps_list(const evidence::Exhibit& exhibit) {
    std::string text = "<ol class=\"questions\">\n";
    for (const evidence::Step& step : exhibit.steps) {
        text += "<li><b>" + escaped(step.title) + ".</b> " + escaped(step.note) + "</li>\n";
    }
    return text + "</ol>\n";
}

std::string seeded_table(const View& view, const evidence::SeededForward& seeded) {
    const std::size_t width = seeded.input.shape().back();
    const std::size_t tokens = seeded.input.size() / width;
    Table rows{"Shape " + shape(seeded.input) + " in, shape " + shape(seeded.output) + " out",
               {"token"},
               {},
               ""};
    for (std::size_t i = 0; i < width; ++i) rows.heads.push_back("feature " + std::to_string(i));
    const auto add = [&](const std::string& name, const std::string& path, std::size_t start) {
        for (std::size_t token = 0; token < tokens; ++token) {
            rows.rows.push_back({name + " " + std::to_string(token)});
            for (std::size_t i = 0; i < width; ++i) {
                rows.rows.back().push_back(
                    view.figure(path + "/" + std::to_string(start + token * width + i)));
            }
        }
    };
    add("input", "seeded_input", 0);
    add("LayerNorm", "seeded_output", 0);
    add("RMSNorm", "seeded_output", seeded.input.size());
    return region("The seeded forward pass", table(rows));
}

}  // namespace

std::string exhibit_page(const evidence::Exhibit& exhibit, const std::string& manifest) {
    const Document figures = figures_of(exhibit);
    const View view(figures);
    Page shown;
    shown.mark_name = "fixture";
    shown.mark = figures.id;
    shown.title = "LayerNorm against RMSNorm \xc2\xb7 " + figures.id;
    shown.description =
        "One vector of eight features under LayerNorm and RMSNorm, as it is, shifted and scaled: "
        "what each norm keeps and what it throws away.";
    shown.eyebrow = "Fixture " + figures.id;
    shown.heading = exhibit_heading;
    shown.lede =
        "Which part of a vector does each norm throw away? Shift it and scale it, and see "
        "what comes back.";
    const auto add = [&](const char* id, const char* title, const std::string& content) {
        shown.contents.emplace_back(id, title);
        shown.main += section(id, title, content);
    };
    add("cases", "One vector, three ways in",
        paragraph("Before you choose: which of the two outputs will move when 5 is added to every "
                  "feature, and which when every feature becomes ten times as large?") +
            layer_norm_formula() +
            paragraph("Epsilon is " + view.figure("inputs/epsilon") + ", all gains are 1.") +
            choice(view, exhibit));
    add("orders", "Why a mean of zero may not print as zero",
        paragraph(
            "Addition rounds, so the order of a sum can show in its last bits. Ascending adds "
            "from the first feature to the last. Pairwise halves the vector and adds the "
            "halves' sums. Two lanes adds the even and the odd positions apart, as a "
            "processor does that takes two numbers at a time. Where exact arithmetic gives "
            "zero, what is left of a sum is rounding, and it depends on the order.") +
            orders_table(view, exhibit));
    add("graph", "The layers", graph_section(exhibit.graph));
    add("steps", "Reading the graph", steps_list(exhibit));
    add("seeded", "A forward pass in binary32",
        paragraph("Four tokens of normal numbers, drawn with seed " +
                  std::to_string(exhibit.seeded.seed) + ", through both norms in binary32.") +
            seeded_table(view, exhibit.seeded));
    add("checks", "What was checked", check_table(view));
    shown.evidence = {{"manifest", "exhibit.json", manifest}, {view.block(), "", json(figures)}};
    return page(shown);
}

}  // namespace rmsnorm::report::html
