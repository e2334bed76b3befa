#include "report/html/sections.hpp"

#include <algorithm>

#include "report/html/elements.hpp"
#include "report/html/escape.hpp"
#include "report/html/formulas.hpp"
#include "report/html/svg.hpp"

namespace rmsnorm::report::html {
namespace {

using Cells = std::vector<std::string>;

std::string place(const std::string& path, std::size_t i) { return path + "/" + std::to_string(i); }

std::string border_legend() {
    return "<ul class=\"legend\">\n"
           "<li><span class=\"card key solid\"></span>solid: the input</li>\n"
           "<li><span class=\"card key dashed\"></span>dashed: the rescaled vector, before the "
           "gain</li>\n"
           "<li><span class=\"card key double\"></span>double: the output, after the gain</li>\n"
           "</ul>\n";
}

std::string hat_x() { return "x\xcc\x82"; }

// The values of one column of an array of records: "sweep/0/factor", "sweep/1/factor", …
std::vector<std::string> column(const View& view, const std::string& array,
                                const std::string& key) {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < view.count(array); ++i)
        paths.push_back(place(array, i) + "/" + key);
    return paths;
}

std::string scale_title(const std::string& mode) {
    if (mode == "ideal") return "Epsilon zero";
    if (mode == "production") return "An ordinary input";
    if (mode == "near-zero") return "A tiny input";
    return escaped(mode);
}

std::string scale_note(const std::string& mode) {
    if (mode == "ideal") return "The factor cancels: what is left is rounding.";
    if (mode == "production") return "The mean square dwarfs epsilon: the factor nearly cancels.";
    if (mode == "near-zero") return "Epsilon decides the denominator: the factor shows.";
    return "";
}

// Consecutive points of one regime as one band each; a band ends halfway to the next point's place
// in the list, which on the logarithmic axis is where the two meet.
std::vector<Band> regime_bands(const View& view, const std::vector<double>& factors) {
    std::vector<Band> bands;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const std::string regime = view.words(place("sweep", i) + "/regime");
        if (!bands.empty() && bands.back().name == regime) {
            bands.back().to = factors[i];
            continue;
        }
        if (!bands.empty()) bands.back().to = factors[i];
        const int style = regime == "signal" ? 1 : regime == "transition" ? 2 : 3;
        bands.push_back({regime, factors[i], factors[i], style});
    }
    // A last point alone in its regime has no width to be drawn.
    if (!bands.empty() && !(bands.back().from < bands.back().to)) bands.pop_back();
    return bands;
}

int decade_of(double value) {
    int exponent = 0;
    for (; value >= 9.99; value /= 10) ++exponent;
    for (; value < 0.999; value *= 10) --exponent;
    return exponent;
}

std::string coordinate_rows_caption(const View& view, const std::string& at, const char* what) {
    const std::string base = at.empty() ? "inputs/" : at;
    std::string text = std::string("Gradient of the ") + what;
    if (view.has(base + "step") && view.has(base + "tolerance")) {
        text += ", central differences with step " + view.figure(base + "step") +
                ", accepted up to a scaled difference of " + view.figure(base + "tolerance");
    }
    return text;
}

std::string coordinates(const View& view, const std::string& at, const char* key,
                        const char* what) {
    const std::string array = at + key;
    Table rows{coordinate_rows_caption(view, at, what),
               {"coordinate", "reverse pass", "central difference", "scaled difference", "verdict"},
               {},
               "numeric",
               {3}};
    const auto errors = aligned(view, column(view, array, "scaled_error"));
    for (std::size_t i = 0; i < view.count(array); ++i) {
        const std::string row = place(array, i) + "/";
        rows.rows.push_back({view.figure(row + "index"), view.figure(row + "analytic"),
                             view.figure(row + "numerical"), errors[i],
                             verdict(view.truth(row + "passed"),
                                     view.truth(row + "passed") ? "agrees" : "differs")});
    }
    return region(std::string("Gradient check of the ") + what, table(rows));
}

}  // namespace

std::string forward_cards(const View& view, const std::string& epsilon) {
    std::string text = border_legend() + "<div class=\"cards flow\">\n";
    text += card(State::input, "Input", value_list(view, "primary/input", "x"));
    const bool one_row = view.count("primary/mean_square") == 1;
    std::string statistics =
        pair("mean square <i>m</i>",
             one_row ? view.figure("primary/mean_square/0") : vector(view, "primary/mean_square"));
    statistics += pair("epsilon <i>\xce\xb5</i>", view.figure(epsilon));
    statistics += pair("reciprocal RMS <i>r</i>", one_row ? view.figure("primary/inverse_rms/0")
                                                          : vector(view, "primary/inverse_rms"));
    text += card(State::plain, one_row ? "One statistic for all" : "One statistic a row",
                 pairs(statistics));
    text += card(State::normalized, "RMS-rescaled",
                 value_list(view, "primary/normalized", hat_x()) +
                     "<p class=\"note\">mean of the squares " +
                     view.figure("primary/normalized_mean_square") + "</p>\n");
    text += card(State::plain, "Learned gain", value_list(view, "primary/gain", "g"));
    text += card(State::output, "Output", value_list(view, "primary/output", "y"));
    return text +
           "</div>\n<p class=\"note\">Within a card, bars compare coordinates; the numbers "
           "are the authority.</p>\n";
}

std::string scale_cards(const View& view) {
    std::string text = "<div class=\"cards\">\n";
    for (std::size_t i = 0; i < view.count("scales"); ++i) {
        const std::string at = place("scales", i) + "/";
        const std::string mode = view.words(at + "mode");
        const std::string note = scale_note(mode);
        text += card(State::normalized, scale_title(mode),
                     pairs(pair("epsilon", view.figure(at + "epsilon")) +
                           pair("factor", view.figure(at + "factor")) +
                           pair("rescaled vector", vector(view, at + "base")) +
                           pair("the same after the factor", vector(view, at + "scaled")) +
                           pair("largest difference",
                                "<strong>" + view.figure(at + "max_abs_diff") + "</strong>")) +
                         (note.empty() ? "" : "<p class=\"note\">" + note + "</p>\n"));
    }
    return text + "</div>\n";
}

std::string sweep_plot(const View& view) {
    const std::size_t count = view.count("sweep");
    std::vector<double> factors;
    Series measured{"measured", 2, false, true, {}, count / 2, 14, 5, "start"};
    Series closed{"m / (m + \xce\xb5)", 3, true, false, {}, count / 4, -6, -18, "middle"};
    for (std::size_t i = 0; i < count; ++i) {
        const std::string at = place("sweep", i) + "/";
        factors.push_back(view.value(at + "factor"));
        measured.points.emplace_back(factors.back(), view.value(at + "normalized_mean_square"));
        closed.points.emplace_back(factors.back(), view.value(at + "closed_form"));
    }
    // The names stand where the curve is steep, beside it.
    const auto past = [&](double level) {
        std::size_t i = 0;
        while (i + 1 < count && closed.points[i].second < level) ++i;
        return i;
    };
    measured.label_at = past(0.3);
    closed.label_at = past(0.7);
    closed.label_anchor = "end";
    closed.label_dx = -14;
    closed.label_dy = 4;
    Plot plot;
    plot.id = "sweep-plot";
    plot.title = "Mean square of the rescaled vector against the factor on the input";
    plot.description =
        "On a logarithmic axis the curve rises from " +
        view.words("sweep/0/normalized_mean_square") + " at factor " +
        view.words("sweep/0/factor") + ", where epsilon decides, to " +
        view.words(place("sweep", count - 1) + "/normalized_mean_square") + " at factor " +
        view.words(place("sweep", count - 1) + "/factor") +
        ", where the signal decides. Every measured point lies on the closed form. The table below "
        "has all numbers.";
    const int lowest = decade_of(factors.front());
    const int highest = decade_of(factors.back());
    plot.x = {"factor on the input", true, factors.front(), factors.back(),
              decade_ticks(lowest, highest, std::max(1, (highest - lowest) / 8))};
    plot.y = {"mean of the squares",
              false,
              0,
              1,
              {{0, "0"}, {0.25, "0.25"}, {0.5, "0.5"}, {0.75, "0.75"}, {1, "1"}}};
    plot.bands = regime_bands(view, factors);
    plot.series = {closed, measured};

    Table points{
        "The points of the plot: <i>m</i> is the mean square of the scaled input, the difference "
        "the largest one to the vector with epsilon zero",
        {"factor", "regime", "measured", "closed form", "difference", "<i>m</i>"},
        {},
        "numeric",
        {0, 1, 2, 3, 4, 5}};
    const auto factor_cells = aligned(view, column(view, "sweep", "factor"));
    const auto square_cells = aligned(view, column(view, "sweep", "mean_square"));
    const auto measured_cells = aligned(view, column(view, "sweep", "normalized_mean_square"));
    const auto closed_cells = aligned(view, column(view, "sweep", "closed_form"));
    const auto difference_cells = aligned(view, column(view, "sweep", "max_abs_diff"));
    for (std::size_t i = 0; i < count; ++i) {
        const std::string at = place("sweep", i) + "/";
        points.rows.push_back({factor_cells[i], view.figure(at + "regime"), measured_cells[i],
                               closed_cells[i], difference_cells[i], square_cells[i]});
    }
    return "<figure>\n" + region("Plot of the epsilon sweep", svg(plot)) +
           "<figcaption>Dots: the mean of the squares of the rescaled vector, measured. Line: the "
           "closed form. <b>epsilon</b>: it is at most 0.01. <b>signal</b>: at least 0.99. "
           "<b>transition</b>: between.</figcaption>\n"
           "</figure>\n" +
           region("Points of the epsilon sweep", table(points));
}

std::string history_table(const View& view) {
    const std::size_t companions = view.count("history/companions");
    Table rows{"The anchor " + vector(view, "history/anchor") + " under three norms",
               {"norm"},
               {{"BatchNorm"}, {"LayerNorm"}, {"RMSNorm"}},
               "rows"};
    for (std::size_t i = 0; i < companions; ++i) {
        rows.heads.push_back("beside " + vector(view, place("history/companions", i)));
        rows.rows[0].push_back(vector(view, place("history/batch_norm", i)));
        rows.rows[1].push_back(vector(view, "history/layer_norm"));
        rows.rows[2].push_back(vector(view, "history/rms_norm"));
    }
    return region("Three norms beside each companion", table(rows)) +
           paragraph("RMSNorm does not center: the mean of its output is " +
                     view.figure("history/rms_mean") + ".");
}

std::string backward_cards(const View& view) {
    return "<div class=\"cards trio\">\n" +
           card(State::plain, "Adjoint at the output",
                value_list(view, "backward/upstream", "y\xcc\x84")) +
           card(State::plain, "Gradient of the input",
                value_list(view, "backward/input_gradient", "x\xcc\x84")) +
           card(State::plain, "Gradient of the gain",
                value_list(view, "backward/gain_gradient", "g\xcc\x84")) +
           "</div>\n";
}

std::string gradient_check_table(const View& view, const std::string& at) {
    return coordinates(view, at, "input_checks", "input") +
           coordinates(view, at, "gain_checks", "gain");
}

std::string parameter_pairs(const View& view) {
    const bool excluded = view.truth("config/no_decay");
    return pairs(pair("stable name", "<code>" + view.figure("config/gain_name") + "</code>") +
                 pair("feature width", view.figure("config/feature_width")) +
                 pair("epsilon", view.figure("config/epsilon")) +
                 pair("in the no-decay group", verdict(excluded, view.figure("config/no_decay"))));
}

std::string zero_pairs(const View& view) {
    return pairs(pair("output", vector(view, "zero/output")) +
                 pair("finite", verdict(view.truth("zero/finite"), view.figure("zero/finite"))));
}

std::string batch_table(const View& view) {
    const tensor::Tensor& input = view.tensor("batch/input");
    const std::size_t width = input.shape().back();
    // Rows beyond these say nothing new; the JSON goes on.
    constexpr std::size_t most_rows = 8;
    const std::size_t rows = width == 0 ? 0 : std::min(input.size() / width, most_rows);
    Table shown{"Shape " + shape(input) + " in, shape " + shape(view.tensor("batch/output")) +
                    " out; the statistic is taken over the axis: " + view.figure("batch/axis"),
                {"row"},
                {},
                "rows"};
    const std::size_t columns = std::min<std::size_t>(width, longest_vector / 2);
    const std::string ellipsis = "\xe2\x80\xa6";
    const auto add = [&](const std::string& path, const std::string& symbol) {
        for (std::size_t i = 0; i < columns; ++i) {
            shown.heads.push_back("<i>" + symbol + "</i><sub>" + std::to_string(i) + "</sub>");
            for (std::size_t row = 0; row < rows; ++row) {
                shown.rows[row].push_back(view.figure(place(path, row * width + i)));
            }
        }
        if (columns == width) return;
        shown.heads.push_back(ellipsis);
        for (auto& row : shown.rows) row.push_back(ellipsis);
    };
    for (std::size_t row = 0; row < rows; ++row) shown.rows.push_back({std::to_string(row)});
    add("batch/input", "x");
    add("batch/output", "y");
    return region("Rows of the batch", table(shown)) +
           (input.size() / std::max<std::size_t>(width, 1) > rows
                ? paragraph("The first " + std::to_string(rows) + " rows of " +
                            std::to_string(input.size() / width) + ".")
                : "");
}

std::string boundary_table(const View& view) {
    Table rows{"Each request was made, and answered with a typed error",
               {"request", "verdict", "error", "message"},
               {},
               "words"};
    for (std::size_t i = 0; i < view.count("boundaries"); ++i) {
        const std::string at = place("boundaries", i) + "/";
        const bool rejected = view.truth(at + "rejected");
        rows.rows.push_back(
            {view.figure(at + "case"), verdict(rejected, rejected ? "rejected" : "not rejected"),
             "<code>" + view.figure(at + "error") + "</code>", view.figure(at + "message")});
    }
    return region("Rejected requests", table(rows));
}

std::string check_table(const View& view) {
    if (view.count("checks") == 0) return paragraph("This experiment has no check of its own.");
    Table rows{
        "What was checked on these values: a check holds when its measure is at most its "
        "bound",
        {"check", "verdict", "what holds", "measure", "bound"},
        {},
        "words"};
    for (std::size_t i = 0; i < view.count("checks"); ++i) {
        const std::string at = place("checks", i) + "/";
        const bool passed = view.truth(at + "passed");
        rows.rows.push_back({view.figure(at + "name"), verdict(passed, passed ? "holds" : "fails"),
                             view.figure(at + "statement"), view.figure(at + "measure"),
                             view.figure(at + "bound")});
    }
    return region("Table of the checks", table(rows));
}

std::string tree(const View& view, const std::string& path) {
    const auto& value = view.at(path).value;
    if (std::holds_alternative<evidence::Figures>(value)) {
        return "<span class=\"gap\">" + shape(view.tensor(path)) + "</span> " + vector(view, path);
    }
    if (const auto* record = std::get_if<evidence::Record>(&value)) {
        std::string content;
        for (const evidence::Field& field : record->fields) {
            if (field.presence == evidence::Presence::absent) continue;
            content += pair(escaped(field.key), tree(view, path + "/" + field.key));
        }
        return "<div class=\"nested\">" + pairs(content) + "</div>";
    }
    if (const auto* array = std::get_if<evidence::Array>(&value)) {
        if (array->items.empty()) return "none";
        std::string content = "<ol class=\"items\" start=\"0\">\n";
        for (std::size_t i = 0; i < array->items.size(); ++i) {
            content += "<li>" + tree(view, place(path, i)) + "</li>\n";
        }
        return content + "</ol>\n";
    }
    return view.figure(path);
}

}  // namespace rmsnorm::report::html
