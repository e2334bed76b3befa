#include "report/html/experiment_page.hpp"

#include "report/html/elements.hpp"
#include "report/html/escape.hpp"
#include "report/html/formulas.hpp"
#include "report/html/page.hpp"
#include "report/html/sections.hpp"
#include "report/json.hpp"

namespace rmsnorm::report::html {
namespace {

std::string results_tree(const View& view) {
    std::string content;
    for (const evidence::Field& field : view.document().results.fields) {
        if (field.presence == evidence::Presence::absent) continue;
        content += pair(escaped(field.key), tree(view, field.key));
    }
    return pairs(content);
}

// An experiment with a picture of its own; any other is shown as its JSON is built.
std::string results_of(const View& view) {
    const std::string& id = view.document().id;
    if (id == "forward" && view.has("primary/normalized_mean_square")) {
        return rms_norm_formula() + forward_cards(view, "inputs/epsilon");
    }
    if (id == "backward" && view.has("backward/gain_gradient")) {
        return input_gradient_formula() + backward_cards(view);
    }
    if (id == "scale" && view.has("scales")) return scale_formula() + scale_cards(view);
    if (id == "sweep" && view.has("sweep/1/regime"))
        return mean_square_formula() + sweep_plot(view);
    if (id == "history" && view.has("history/companions")) return history_table(view);
    if (id == "batch" && view.has("batch/axis")) return batch_table(view);
    if (id == "boundaries" && view.has("boundaries")) return boundary_table(view);
    if (id == "gradcheck" && view.has("input_checks") && view.has("gain_checks")) {
        return gradient_check_table(view, "");
    }
    return results_tree(view);
}

}  // namespace

std::string experiment_page(const Document& document, Extent extent) {
    const View view(document);
    Page shown;
    shown.mark_name = "experiment";
    shown.mark = document.id;
    shown.title = document.id + " \xc2\xb7 an experiment on RMSNorm";
    shown.description = "The experiment \"" + document.id +
                        "\" on the inputs that the page lists, with the checks that were run on "
                        "them.";
    shown.eyebrow = "Experiment";
    shown.heading = escaped(document.id);
    shown.lede = evidence::all_passed(document.checks)
                     ? "Computed from the inputs below; every check held."
                     : "Computed from the inputs below; a check failed.";
    const auto add = [&](const char* id, const char* title, const std::string& content) {
        shown.contents.emplace_back(id, title);
        shown.main += section(id, title, content);
    };
    if (!document.inputs.fields.empty()) add("inputs", "Inputs", tree(view, "inputs"));
    add("results", "Results", results_of(view));
    add("checks", "Checks", check_table(view));
    shown.evidence = {{view.block(), document.id + ".json", json(document, extent)}};
    return page(shown);
}

}  // namespace rmsnorm::report::html
