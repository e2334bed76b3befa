#include <cmath>

#include "numeric/decimal.hpp"
#include "report/exhibit.hpp"
#include "report/svg.hpp"

namespace rmsnorm::report {
namespace {

// Units of the picture are CSS pixels at its natural width.
constexpr double width = 400;
constexpr double left = 34;           // of the plots
constexpr double feature_pitch = 45;  // from one feature's bars to the next one's
constexpr double bar = 17;
constexpr double first_plot = 62;
constexpr double plot_pitch = 132;
constexpr double unit = 24;    // pixels for an output of 1
constexpr double reach = 1.7;  // the plots show outputs from -reach to reach

// A whole number without ".0".
std::string short_text(double value) {
    std::string text = numeric::shortest(value);
    if (text.size() > 2 && text.substr(text.size() - 2) == ".0") text.resize(text.size() - 2);
    return text;
}

std::string label(double x, double y, std::string_view attributes, std::string_view text) {
    std::string tag = "  <text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\"";
    return tag.append(attributes).append(">").append(text).append("</text>\n");
}

std::string rectangle(std::string_view style, double x, double y, double w, double h) {
    return "  <rect class=\"" + std::string(style) + "\" x=\"" + svg_number(x) + "\" y=\"" +
           svg_number(y) + "\" width=\"" + svg_number(w) + "\" height=\"" + svg_number(h) +
           "\"/>\n";
}

std::string bar_of(std::string_view style, double x, double zero, double value) {
    const double height = unit * std::abs(value);
    return rectangle(style, x, value < 0 ? zero : zero - height, bar, height);
}

std::string plot(const experiments::ExhibitCase& one, double top) {
    const double zero = top + 18 + unit * reach;
    std::string svg = label(4, top + 10, " class=\"case\"", one.label);
    for (const double tick : {-1.0, 0.0, 1.0}) {
        const std::string y = svg_number(zero - unit * tick);
        svg += "  <line class=\"" + std::string(tick == 0 ? "zero" : "grid") + "\" x1=\"" +
               svg_number(left - 4) + "\" x2=\"" + svg_number(width - 4) + "\" y1=\"" + y +
               "\" y2=\"" + y + "\"/>\n";
        svg += label(left - 8, zero - unit * tick + 4, " text-anchor=\"end\"", short_text(tick));
    }
    const experiments::Comparison& comparison = one.comparison;
    for (std::size_t i = 0; i < comparison.vector.size(); ++i) {
        const double x = left + feature_pitch * static_cast<double>(i) + 4;
        svg += bar_of("layer", x, zero, comparison.layer_norm[i]);
        svg += bar_of("rms", x + bar + 1, zero, comparison.rms_norm[i]);
        svg += label(x + bar, top + 18 + 2 * unit * reach + 12, " text-anchor=\"middle\"",
                     short_text(comparison.vector[i]));
    }
    return svg;
}

// Where RMSNorm's bars stand beside LayerNorm's, for who cannot see them.
std::string description(const experiments::Exhibit& evidence) {
    std::string text =
        "Three bar charts of one vector of eight features, each feature with a bar for LayerNorm's "
        "output and one for RMSNorm's.";
    for (const experiments::ExhibitCase& one : evidence.cases) {
        text += " " + one.label + ": " + one.note + " Mean of the outputs: LayerNorm " +
                numeric::fixed(one.comparison.layer_norm_mean.pairwise, 3) + ", RMSNorm " +
                numeric::fixed(one.comparison.rms_norm_mean.pairwise, 3) + ".";
    }
    return text;
}

}  // namespace

std::string exhibit_svg(const experiments::Exhibit& evidence) {
    const double height = first_plot + plot_pitch * static_cast<double>(evidence.cases.size());
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                      short_text(width) + " " + short_text(height) +
                      "\" role=\"img\" aria-labelledby=\"title description\">\n" +
                      "  <title id=\"title\">LayerNorm and RMSNorm of one vector</title>\n"
                      "  <desc id=\"description\">" +
                      description(evidence) +
                      "</desc>\n"
                      "  <style>\n"
                      "    text { font: 12px system-ui, sans-serif; fill: #1c1c1c; }\n"
                      "    .head { font-size: 15px; font-weight: 600; }\n"
                      "    .case { font-weight: 600; }\n"
                      "    .page { fill: #ffffff; }\n"
                      "    .layer { fill: #1f5fa8; }\n"
                      "    .rms { fill: #d9822b; }\n"
                      "    .grid { stroke: #d5d5d5; }\n"
                      "    .zero { stroke: #6b6b6b; }\n"
                      "    @media (prefers-color-scheme: dark) {\n"
                      "      text { fill: #ececec; }\n"
                      "      .page { fill: #17191c; }\n"
                      "      .layer { fill: #6fb1f5; }\n"
                      "      .rms { fill: #f2b068; }\n"
                      "      .grid { stroke: #3c4046; }\n"
                      "      .zero { stroke: #a0a0a0; }\n"
                      "    }\n"
                      "  </style>\n";
    svg += rectangle("page", 0, 0, width, height);
    svg += label(4, 18, " class=\"head\"", "One vector under LayerNorm and RMSNorm");
    svg += rectangle("layer", 4, 31, 12, 12);
    svg += label(21, 41, "", "LayerNorm");
    svg += rectangle("rms", 100, 31, 12, 12);
    svg += label(117, 41, "", "RMSNorm");
    svg += label(width - 4, 41, " text-anchor=\"end\"", "below each pair: the input");
    double top = first_plot;
    for (const experiments::ExhibitCase& one : evidence.cases) {
        svg += plot(one, top);
        top += plot_pitch;
    }
    return svg + "</svg>\n";
}

}  // namespace rmsnorm::report
