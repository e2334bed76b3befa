#include "report/html/chapter_page.hpp"

#include <algorithm>

#include "report/html/elements.hpp"
#include "report/html/formulas.hpp"
#include "report/html/page.hpp"
#include "report/html/sections.hpp"
#include "report/json.hpp"

namespace rmsnorm::report::html {
namespace {

struct Part {
    const char* id;
    const char* title;
    std::string content;
};

// A question and the part of the page that decides it.
std::string question(const std::string& text, const char* section, const char* title) {
    return "<li>" + text + " <a href=\"#" + section + "\">" + title + "</a></li>\n";
}

std::string predictions(const View& view) {
    std::string text = paragraph(
        "A number that surprises you teaches more than one that you only read. The input is " +
        vector(view, "primary/input") + ", the gain " + vector(view, "primary/gain") +
        " and epsilon " + view.figure("config/epsilon") + ". Write down an answer to each:");
    text += "<ol class=\"questions\">\n";
    text += question("What are the mean square of the input and one over its root?", "forward",
                     "One vector through the layer");
    text += question("What comes out once the gain is applied?", "forward",
                     "One vector through the layer");
    text += question(
        "Ten times the input, epsilon zero: what happens to the rescaled vector, before any gain?",
        "scale", "Ten times the input");
    text += question("Why does the same epsilon change a tiny input so much more?", "sweep",
                     "Where epsilon takes over");
    text += question("What does a row of zeros give, with epsilon positive and with epsilon zero?",
                     "zero", "A row of zeros");
    text += question("Is the mean of the features subtracted? Do other rows of the batch matter?",
                     "history", "Three norms, two companions");
    text += question("Which shapes do the output and the gradient of the gain have?", "backward",
                     "Gradients, checked one by one");
    text += question(
        "Does the formula decide that the gain is kept out of weight decay, or the optimizer?",
        "parameters", "The gain as a parameter");
    text +=
        question("Which requests must the layer refuse?", "boundaries", "What the layer refuses");
    return text + "</ol>\n";
}

std::string gradients(const View& view) {
    return paragraph(
               "The adjoint of the output travels back through every step of the forward "
               "pass. Since all coordinates share one statistic, each coordinate of the "
               "input's gradient depends on all of them.") +
           input_gradient_formula() + backward_cards(view) +
           paragraph(
               "Central differences on the same layer say whether the reverse pass is right, "
               "one coordinate at a time:") +
           gradient_check_table(view, "proof/");
}

std::string proof(const View& view) {
    const auto& checks = view.document().checks;
    const auto held = std::count_if(checks.begin(), checks.end(),
                                    [](const evidence::Check& check) { return check.passed; });
    const bool all = static_cast<std::size_t>(held) == checks.size();
    const bool bitwise = view.words("proof/replay") == "bitwise";
    return "<div class=\"cards\">\n" +
           card(State::plain, "Scale",
                pairs(pair("mean of the squares, rescaled",
                           view.figure("primary/normalized_mean_square")))) +
           card(State::plain, "Gradients",
                pairs(pair("coordinates of the input",
                           std::to_string(view.count("proof/input_checks"))) +
                      pair("coordinates of the gain",
                           std::to_string(view.count("proof/gain_checks"))) +
                      pair("all agree", verdict(view.truth("proof/gradcheck"),
                                                view.figure("proof/gradcheck"))))) +
           card(State::plain, "Replay",
                pairs(pair("computed twice, compared",
                           verdict(bitwise, view.figure("proof/replay"))))) +
           card(State::plain, "Checks",
                pairs(pair("run on these figures", std::to_string(checks.size())) +
                      pair("held", verdict(all, std::to_string(held))))) +
           "</div>\n";
}

std::vector<Part> parts(const View& view, const View& sweep) {
    return {
        {"predict", "Predict before you read", predictions(view)},
        {"forward", "One vector through the layer",
         paragraph("RMSNorm divides a feature vector by its root mean square and lets a learned "
                   "gain rescale each feature. One statistic serves all coordinates; nothing is "
                   "subtracted.") +
             rms_norm_formula() + forward_cards(view, "config/epsilon")},
        {"scale", "Ten times the input",
         paragraph("Without epsilon a positive factor on the input cancels. With it, the factor "
                   "acts as if epsilon had been divided by its square, so the answer depends on "
                   "how large the input was. All vectors here are compared before the gain.") +
             scale_formula() + scale_cards(view)},
        {"sweep", "Where epsilon takes over",
         paragraph("Scale the same input over many decades, and the mean of the squares of the "
                   "rescaled vector tells who decides the denominator: close to one, the signal; "
                   "close to zero, epsilon.") +
             mean_square_formula() + sweep_plot(sweep)},
        {"history", "Three norms, two companions",
         paragraph("One anchor, and beside it in the mini-batch one companion or another. "
                   "BatchNorm takes its statistics over the batch, so that the companion changes "
                   "the anchor's result. LayerNorm (Ba, Kiros and Hinton 2016) and RMSNorm (Zhang "
                   "and Sennrich 2019) look at the anchor alone; only LayerNorm centers it.") +
             history_table(view)},
        {"backward", "Gradients, checked one by one", gradients(view)},
        {"parameters", "The gain as a parameter",
         paragraph("Checkpoints and optimizers know the gain by a name. That it gets no weight "
                   "decay is a policy of the optimizer: the formula does not know of it.") +
             parameter_pairs(view)},
        {"zero", "A row of zeros",
         paragraph("A positive epsilon keeps the root away from zero, and zeros stay zeros. With "
                   "epsilon zero the same row is refused, as the requests below show.") +
             zero_pairs(view)},
        {"batch", "Rows of a batch",
         paragraph("Each row has its own statistic: a row in the batch has the very bits that it "
                   "has alone.") +
             batch_table(view)},
        {"boundaries", "What the layer refuses", boundary_table(view)},
        {"proof", "What was proved", proof(view)},
    };
}

}  // namespace

std::string chapter_page(const Document& chapter, const Document& sweep) {
    const View view(chapter);
    const View sweep_view(sweep, "sweep-evidence");
    Page shown;
    shown.mark_name = "fixture";
    shown.mark = chapter.id;
    shown.title = "RMSNorm, one vector followed \xc2\xb7 " + chapter.id;
    shown.description =
        "One feature vector through RMSNorm and back: forward pass, gradients, what epsilon does, "
        "and what the layer refuses. Every figure computed and checked.";
    shown.eyebrow = "Fixture " + chapter.id;
    shown.heading = chapter_heading;
    shown.lede =
        "How the layer rescales a vector without centering it, what epsilon changes and when, "
        "and how its gradients are known to be right.";
    for (const Part& part : parts(view, sweep_view)) {
        shown.contents.emplace_back(part.id, part.title);
        shown.main += section(part.id, part.title, part.content);
    }
    shown.evidence = {{view.block(), chapter.id + ".json", json(chapter)},
                      {sweep_view.block(), "sweep.json", json(sweep)}};
    return page(shown);
}

}  // namespace rmsnorm::report::html
