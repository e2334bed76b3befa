#include "report/html/book_page.hpp"

#include <algorithm>
#include <cmath>

#include "report/html/elements.hpp"
#include "report/html/escape.hpp"
#include "report/html/formulas.hpp"
#include "report/html/page.hpp"
#include "report/html/svg.hpp"
#include "report/html/view.hpp"
#include "report/json.hpp"

namespace rmsnorm::report::html {
namespace {

struct NamedPath {
    std::string name;
    std::string path;
};

std::string place(const std::string& path, std::size_t i) { return path + "/" + std::to_string(i); }

// Vectors of one width, a row each, a column a coordinate.
std::string vectors_table(const View& view, const std::string& label, const std::string& caption,
                          const std::vector<NamedPath>& vectors) {
    Table rows{caption, {"vector"}, {}, ""};
    for (std::size_t i = 0; i < view.count(vectors.front().path); ++i) {
        rows.heads.push_back("<i>x</i><sub>" + std::to_string(i) + "</sub>");
    }
    for (const NamedPath& vector : vectors) {
        rows.rows.push_back({vector.name});
        for (std::size_t i = 0; i < view.count(vector.path); ++i) {
            const std::string element = place(vector.path, i);
            const auto& datum = view.at(vector.path).value;
            rows.rows.back().push_back(std::holds_alternative<evidence::Array>(datum)
                                           ? verdict(view.truth(element), view.figure(element))
                                           : view.figure(element));
        }
    }
    return region(label, table(rows));
}

// Records with the same keys, a row each. `heads` name the columns, `keys` their paths.
std::string records_table(const View& view, const std::string& label, const std::string& caption,
                          const std::string& array, const std::vector<NamedPath>& columns) {
    Table rows{caption, {}, std::vector<std::vector<std::string>>(view.count(array)), "numeric"};
    for (const NamedPath& column : columns) {
        rows.points.push_back(rows.heads.size());
        rows.heads.push_back(column.name);
        std::vector<std::string> paths;
        for (std::size_t i = 0; i < view.count(array); ++i) {
            paths.push_back(place(array, i) + "/" + column.path);
        }
        const auto cells = aligned(view, paths);
        for (std::size_t i = 0; i < cells.size(); ++i) rows.rows[i].push_back(cells[i]);
    }
    return region(label, table(rows));
}

std::string figures_list(const View& view, const std::vector<NamedPath>& figures) {
    std::string content;
    for (const NamedPath& figure : figures) content += pair(figure.name, view.figure(figure.path));
    return pairs(content);
}

std::string plot_figure(const std::string& label, const Plot& plot, const std::string& caption) {
    return "<figure>\n" + region(label, svg(plot)) + "<figcaption>" + caption +
           "</figcaption>\n</figure>\n";
}

std::vector<double> column_values(const View& view, const std::string& array,
                                  const std::string& key) {
    std::vector<double> values;
    for (std::size_t i = 0; i < view.count(array); ++i) {
        values.push_back(view.value(place(array, i) + "/" + key));
    }
    return values;
}

Series line(const std::string& name, int style, const std::vector<double>& xs,
            const std::vector<double>& ys) {
    Series series{name, style, true, true, {}, xs.size() / 2, 0, -14, "middle"};
    for (std::size_t i = 0; i < xs.size(); ++i) series.points.emplace_back(xs[i], ys[i]);
    return series;
}

std::vector<double> together(std::vector<double> a, const std::vector<double>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

std::string statistics(const View& view, const View& vectors) {
    const auto of = [&](const std::string& name) {
        const std::string at = "stats/" + name + "/";
        return pairs(pair("the vector", vector(vectors, "inputs/" + name))) +
               figures_list(view, {{"mean", at + "mean"},
                                   {"variance", at + "variance"},
                                   {"standard deviation", at + "standard_deviation"},
                                   {"range", at + "range"},
                                   {"range in standard deviations", at + "span"}});
    };
    return paragraph(
               "Two vectors whose units differ by a factor of a thousand and whose offsets "
               "have nothing in common. Measured in standard deviations they spread alike: "
               "what is left after normalization is the shape.") +
           "<div class=\"cards\">\n" + card(State::plain, "Large numbers", of("a")) +
           card(State::plain, "Small numbers", of("b")) + "</div>\n";
}

std::string both_norms(const View& view) {
    return paragraph(
               "The same vector through both norms in binary32. LayerNorm takes the common "
               "offset away and shows the differences; for RMSNorm the offset is nearly all "
               "there is.") +
           layer_norm_formula() + "<div class=\"cards trio\">\n" +
           card(State::input, "Input", value_list(view, "layer_norm/input", "x")) +
           card(
               State::normalized, "LayerNorm",
               value_list(view, "layer_norm/output", "y") +
                   figures_list(view, {{"mean", "layer_norm/mean"},
                                       {"variance", "layer_norm/variance"},
                                       {"mean of the output", "layer_norm/output_mean"},
                                       {"variance of the output", "layer_norm/output_variance"}})) +
           card(State::output, "RMSNorm",
                value_list(view, "rms_norm/output", "y") +
                    figures_list(view, {{"mean square", "rms_norm/mean_square"},
                                        {"reciprocal RMS", "rms_norm/inverse_rms"},
                                        {"RMS of the output", "rms_norm/output_rms"}})) +
           "</div>\n";
}

std::string comparisons(const View& view) {
    std::string text = paragraph(
        "With a mean of zero the variance is the mean square, and both formulas are one. An offset "
        "raises the mean square and leaves the variance alone.");
    const auto& record = std::get<evidence::Record>(view.at("compare").value);
    for (const evidence::Field& field : record.fields) {
        const std::string at = "compare/" + field.key + "/";
        std::string name = field.key;
        std::replace(name.begin(), name.end(), '-', ' ');
        text += vectors_table(view, "Both norms, " + name,
                              escaped(name) + ": mean " + view.figure(at + "mean") +
                                  ", largest difference of the outputs " +
                                  view.figure(at + "largest_difference"),
                              {{"input", at + "input"},
                               {"LayerNorm", at + "layer_norm"},
                               {"RMSNorm", at + "rms_norm"}});
    }
    return text;
}

std::string depth(const View& view) {
    const auto depths = column_values(view, "depth", "depth");
    const auto post = column_values(view, "depth", "post_norm_sensitivity");
    const auto pre = column_values(view, "depth", "pre_norm_sensitivity");
    Plot plot;
    plot.id = "depth-plot";
    plot.title = "Sensitivity to the first input over depth";
    const std::string last = place("depth", depths.size() - 1) + "/";
    plot.description = "On logarithmic axes: at depth " + view.words(last + "depth") +
                       " post-norm has fallen to " + view.words(last + "post_norm_sensitivity") +
                       " and pre-norm has grown to " + view.words(last + "pre_norm_sensitivity") +
                       ". The table below has all numbers.";
    plot.x = {"depth", true, depths.front(), depths.back(), {}};
    for (std::size_t i = 0; i < depths.size(); ++i) {
        plot.x.ticks.emplace_back(depths[i], view.words(place("depth", i) + "/depth"));
    }
    plot.y = decade_axis("sensitivity", together(post, pre));
    plot.series = {line("pre-norm", 3, depths, pre), line("post-norm", 4, depths, post)};
    return paragraph(
               "A residual block can normalize after the sum (post-norm) or only the branch "
               "(pre-norm). The sensitivity is how far the output moves when the first input "
               "moves. Behind every sum a norm scales the path from input to output down; a "
               "branch of its own leaves the path alone.") +
           plot_figure("Plot of sensitivity over depth", plot,
                       "Solid line: pre-norm. Dashed line: post-norm. Both axes are logarithmic.") +
           records_table(view, "Depth", "Norm of the output and sensitivity at each depth", "depth",
                         {{"depth", "depth"},
                          {"post-norm output", "post_norm_output_norm"},
                          {"post-norm sensitivity", "post_norm_sensitivity"},
                          {"pre-norm output", "pre_norm_output_norm"},
                          {"pre-norm sensitivity", "pre_norm_sensitivity"}});
}

std::string layer_norm_backward(const View& view) {
    const std::string at = "layer_norm_backward/";
    return paragraph(
               "LayerNorm's input gradient in closed form, and central differences in "
               "binary32 beside it.") +
           vectors_table(
               view, "Gradient of LayerNorm",
               "One over the standard deviation: " + view.figure(at + "inverse_standard_deviation"),
               {{"input", at + "input"},
                {"normalized", at + "normalized"},
                {"upstream", at + "upstream"},
                {"gradient", at + "input_gradient"},
                {"central difference", at + "numerical_gradient"},
                {"within tolerance", at + "matches"}});
}

std::string norm_name(const std::string& id) {
    return id == "layer-norm" ? "LayerNorm" : id == "rms-norm" ? "RMSNorm" : escaped(id);
}

std::string constant(const View& view) {
    Table rows{"The vector " + vector(view, "constant/input") + " under both norms",
               {"norm", "epsilon", "answer"},
               {},
               "words"};
    for (std::size_t i = 0; i < view.count("constant/outcomes"); ++i) {
        const std::string at = place("constant/outcomes", i) + "/";
        const bool rejected = view.truth(at + "rejected");
        rows.rows.push_back(
            {norm_name(view.words(at + "norm")), view.figure(at + "epsilon"),
             rejected ? "rejected: " + view.figure(at + "message") : vector(view, at + "output")});
    }
    return paragraph(
               "All features equal: nothing deviates from the mean, so LayerNorm has zero to "
               "divide. RMSNorm has a length to divide by.") +
           region("A constant vector", table(rows));
}

std::string rms_norm_backward(const View& view) {
    const std::string at = "rms_norm_backward/";
    std::string text = paragraph(
        "RMSNorm's gradients with respect to its input and its gain, four "
        "ways: closed form, central differences, and in binary64 the "
        "closed form against a tape.");
    for (const auto& [key, name] : std::vector<std::pair<std::string, std::string>>{
             {"input_gradient", "the input"}, {"gamma_gradient", "the gain"}}) {
        const std::string gradient = at + key + "/";
        text += vectors_table(view, "RMSNorm backward, " + name,
                              "Gradient of " + name + "; closed form and tape differ by " +
                                  view.figure(gradient + "largest_ulp") +
                                  " units in the last place at most",
                              {{"upstream", at + "upstream"},
                               {"closed form", gradient + "closed_form"},
                               {"central difference", gradient + "numerical"},
                               {"within tolerance", gradient + "matches"},
                               {"closed form, binary64", gradient + "closed_form_binary64"},
                               {"tape, binary64", gradient + "tape"}});
    }
    return text;
}

std::string dense_stack(const View& view) {
    const auto values = [&](const std::string& key) {
        const auto span = view.tensor("dense_stack/" + key).values();
        return std::vector<double>(span.begin(), span.end());
    };
    const auto none = values("none");
    const auto layer = values("layer_norm");
    const auto rms = values("rms_norm");
    std::vector<double> layers;
    for (std::size_t i = 0; i < none.size(); ++i) layers.push_back(static_cast<double>(i + 1));
    Plot plot;
    plot.id = "stack-plot";
    plot.title = "Magnitude of the activations over the layers";
    plot.description = "On a logarithmic axis: without a norm the magnitude grows from " +
                       view.words("dense_stack/none/0") + " to " +
                       view.words(place("dense_stack/none", none.size() - 1)) +
                       ", with either norm it stays at one. The table below has all numbers.";
    plot.x = {"layer", false, layers.front(), layers.back(), {}};
    for (const double one : layers)
        plot.x.ticks.emplace_back(one, std::to_string(static_cast<int>(one)));
    plot.y = decade_axis("magnitude", together(together(none, layer), rms));
    plot.series = {line("no norm", 5, layers, none), line("LayerNorm", 1, layers, layer),
                   line("RMSNorm", 2, layers, rms)};
    plot.series[0].label_anchor = "end";
    plot.series[0].label_dx = -14;
    plot.series[0].label_dy = -6;
    plot.series[1].label_at = layers.size() - 3;
    plot.series[2].label_at = layers.size() - 3;
    plot.series[2].label_dy = 26;
    Table rows{
        "Magnitude after each layer", {"layer", "no norm", "LayerNorm", "RMSNorm"}, {}, "numeric"};
    for (std::size_t i = 0; i < none.size(); ++i) {
        rows.rows.push_back({std::to_string(i + 1), view.figure(place("dense_stack/none", i)),
                             view.figure(place("dense_stack/layer_norm", i)),
                             view.figure(place("dense_stack/rms_norm", i))});
    }
    return paragraph("A stack of dense layers of width " + view.figure("dense_stack/width") +
                     ", weights drawn with seed " + view.figure("dense_stack/seed") +
                     ". Each layer is expected to enlarge a vector " +
                     view.figure("dense_stack/expected_growth") +
                     " times; a norm after each takes that back.") +
           plot_figure("Plot of magnitude over layers", plot,
                       "Dotted: no norm. Solid and dashed, one upon the other: LayerNorm and "
                       "RMSNorm.") +
           region("Magnitudes", table(rows));
}

std::string cost(const View& view) {
    const std::vector<NamedPath> counts{{"multiplications", "multiplications"},
                                        {"additions", "additions"},
                                        {"divisions", "divisions"},
                                        {"square roots", "square_roots"},
                                        {"all operations", "total"},
                                        {"parameters", "parameters"}};
    double largest = 0;
    for (const std::string norm : {"layer_norm", "rms_norm"}) {
        largest = std::max(largest, view.value("cost/" + norm + "/total"));
    }
    const auto bars = [&](const std::string& norm) {
        std::string text = "<ul class=\"values\">\n";
        for (const NamedPath& count : counts) {
            const std::string path = "cost/" + norm + "/" + count.path;
            text += "<li><span>" + count.name + "</span> " + view.figure(path) +
                    bar(view.value(path), largest, false) + "</li>\n";
        }
        return text + "</ul>\n";
    };
    return paragraph("Operations that one forward pass of width " + view.figure("cost/width") +
                     " really made, counted by a number type that counts. LayerNorm takes " +
                     view.figure("cost/ratio") + " times as many as RMSNorm.") +
           "<div class=\"cards\">\n" + card(State::normalized, "LayerNorm", bars("layer_norm")) +
           card(State::output, "RMSNorm", bars("rms_norm")) +
           "</div>\n<p class=\"note\">All bars share one scale.</p>\n";
}

std::string closed_form(const View& view) {
    const std::string at = "closed_form/";
    return paragraph(
               "LayerNorm's gradient factored into two means, against a tape in binary64 "
               "that knows nothing of the closed form.") +
           vectors_table(view, "Closed form",
                         "They differ by " + view.figure(at + "largest_ulp") +
                             " units in the last place at most; " +
                             view.figure(at + "largest_error") + " units of rounding, where " +
                             view.figure(at + "error_bound") + " are allowed",
                         {{"input", at + "input"},
                          {"upstream", at + "upstream"},
                          {"normalized", at + "normalized"},
                          {"factored", at + "factored_gradient"},
                          {"tape", at + "tape_gradient"}}) +
           figures_list(view,
                        {{"mean of upstream", at + "upstream_mean"},
                         {"mean of normalized * upstream", at + "product_mean"},
                         {"one over the standard deviation", at + "inverse_standard_deviation"}});
}

std::string latent(const View& view) {
    const std::string rows = "latent/rows";
    const auto factors = column_values(view, rows, "factor");
    const auto plain = column_values(view, rows, "plain_output");
    const auto normalized = column_values(view, rows, "normalized_output");
    Plot plot;
    plot.id = "latent-plot";
    plot.title = "Magnitude of the output against the input's factor";
    plot.description = "On logarithmic axes: without a norm the output grows " +
                       view.words("latent/plain_growth") + " times, with RMSNorm on the latent " +
                       view.words("latent/normalized_growth") +
                       " times. The table below has all numbers.";
    plot.x = decade_axis("factor on the input", factors);
    plot.y = decade_axis("output", together(plain, normalized));
    plot.series = {line("plain", 5, factors, plain), line("RMSNorm", 2, factors, normalized)};
    plot.series[0].label_at = factors.size() - 2;
    plot.series[0].label_anchor = "end";
    plot.series[0].label_dx = -12;
    plot.series[0].label_dy = -8;
    plot.series[1].label_at = factors.size() - 2;
    plot.series[1].label_dy = 26;
    return paragraph("A vector of width " + view.figure("latent/width") + " pressed through " +
                     view.figure("latent/rank") +
                     " latent features and out again. A norm on the latent keeps the output's size "
                     "whatever the input's.") +
           plot_figure("Plot of output over factor", plot,
                       "Dotted: without a norm. Dashed: RMSNorm on the latent.") +
           records_table(view, "Latent", "Magnitudes for each factor", rows,
                         {{"factor", "factor"},
                          {"latent", "latent"},
                          {"plain output", "plain_output"},
                          {"normalized output", "normalized_output"},
                          {"reciprocal RMS", "inverse_rms"}});
}

std::string proof(const View& view) {
    const bool all = view.words("proof/checks") == view.words("proof/held");
    const bool bitwise = view.words("proof/replay") == "bitwise";
    return pairs(pair("checks run", view.figure("proof/checks")) +
                 pair("checks held", verdict(all, view.figure("proof/held"))) +
                 pair("computed twice, compared", verdict(bitwise, view.figure("proof/replay"))));
}

}  // namespace

std::string book_page(const Document& book, const Document& stats) {
    const View view(book);
    const View stats_view(stats, "stats-evidence");
    Page shown;
    shown.mark_name = "fixture";
    shown.mark = book.id;
    shown.title = "Normalization in binary32 \xc2\xb7 " + book.id;
    shown.description =
        "LayerNorm and RMSNorm in binary32: statistics, both norms compared, pre-norm against "
        "post-norm over depth, gradients and six exercises.";
    shown.eyebrow = "Fixture " + book.id;
    shown.heading = book_heading;
    shown.lede =
        "What a norm keeps of a vector, where in a deep network it belongs, what its "
        "gradients are and what it costs.";
    const auto add = [&](const char* id, const char* title, const std::string& content) {
        shown.contents.emplace_back(id, title);
        shown.main += section(id, title, content);
    };
    add("stats", "Shape, not scale", statistics(view, stats_view));
    add("norms", "One vector, both norms", both_norms(view));
    add("compare", "When the two agree", comparisons(view));
    add("depth", "Before or after the sum", depth(view));
    add("backward", "LayerNorm backward", layer_norm_backward(view));
    add("constant", "Exercise: a constant vector", constant(view));
    add("rms-backward", "Exercise: RMSNorm backward", rms_norm_backward(view));
    add("dense-stack", "Exercise: a dense stack", dense_stack(view));
    add("cost", "Exercise: what a norm costs", cost(view));
    add("closed-form", "Exercise: the factored gradient", closed_form(view));
    add("latent", "Exercise: a norm on the latent", latent(view));
    add("proof", "What was proved", proof(view));
    shown.evidence = {{view.block(), book.id + ".json", json(book)},
                      {stats_view.block(), "", json(stats)}};
    return page(shown);
}

}  // namespace rmsnorm::report::html
