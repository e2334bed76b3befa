#include "report/html/svg.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/decimal.hpp"
#include "numeric/elementary.hpp"
#include "report/html/escape.hpp"

namespace rmsnorm::report::html {
namespace {

// The sheet on which a plot is drawn and its margins; the style sheet shows the one that fits the
// screen, so that the letters have their size on both.
struct Sheet {
    const char* suffix;  // of the ids
    const char* name;    // a class
    double width;
    double height;
    double left;
    double right;
    double top;
    double bottom;
    double least_pitch;  // between two ticks with words
    double label;        // how far from the left the y axis has its name
};

constexpr Sheet wide{"", "drawn-wide", 720, 400, 84, 24, 40, 68, 0, 18};
constexpr Sheet narrow{"-narrow", "drawn-narrow", 360, 300, 64, 14, 36, 60, 40, 13};

std::string number(double value) {
    std::string text = numeric::fixed(value, 1);
    // "-0.0" and "12.0" say no more than "0" and "12".
    if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) {
        text.resize(text.size() - 2);
    }
    return text == "-0" ? "0" : text;
}

// From 0 at the axis' low end to 1 at its high end.
double share(const Axis& axis, double value) {
    if (!axis.logarithmic) return (value - axis.low) / (axis.high - axis.low);
    const double low = numeric::log(axis.low);
    return (numeric::log(value) - low) / (numeric::log(axis.high) - low);
}

double across(const Sheet& sheet, const Plot& plot, double x) {
    return sheet.left + (sheet.width - sheet.left - sheet.right) * share(plot.x, x);
}

double down(const Sheet& sheet, const Plot& plot, double y) {
    return sheet.height - sheet.bottom -
           (sheet.height - sheet.top - sheet.bottom) * share(plot.y, y);
}

std::string text_at(double x, double y, const char* anchor, const std::string& name,
                    const std::string& content) {
    return "<text class=\"" + name + "\" x=\"" + number(x) + "\" y=\"" + number(y) +
           "\" text-anchor=\"" + anchor + "\">" + content + "</text>\n";
}

std::string line_between(double x1, double y1, double x2, double y2, const char* name) {
    return std::string("<line class=\"") + name + "\" x1=\"" + number(x1) + "\" y1=\"" +
           number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) + "\"></line>\n";
}

std::string bands(const Sheet& sheet, const Plot& plot) {
    std::string text;
    for (const Band& band : plot.bands) {
        const double from = across(sheet, plot, band.from);
        const double to = across(sheet, plot, band.to);
        text += "<rect class=\"band band" + std::to_string(band.style) + "\" x=\"" + number(from) +
                "\" y=\"" + number(sheet.top) + "\" width=\"" + number(to - from) + "\" height=\"" +
                number(sheet.height - sheet.top - sheet.bottom) + "\"></rect>\n";
        text += text_at((from + to) / 2, sheet.top - 14, "middle", "band-name", escaped(band.name));
    }
    return text;
}

std::string axes(const Sheet& sheet, const Plot& plot) {
    std::string text;
    const double end = sheet.width - sheet.right;
    const double ground = sheet.height - sheet.bottom;
    for (const auto& [value, words] : plot.y.ticks) {
        const double y = down(sheet, plot, value);
        text += line_between(sheet.left, y, end, y, "grid");
        text += text_at(sheet.left - 10, y + 5, "end", "tick", words);
    }
    double last = -sheet.width;
    for (const auto& [value, words] : plot.x.ticks) {
        const double x = across(sheet, plot, value);
        text += line_between(x, ground, x, ground + 6, "mark");
        if (x - last < sheet.least_pitch) continue;
        text += text_at(x, ground + 24, "middle", "tick", words);
        last = x;
    }
    text += line_between(sheet.left, ground, end, ground, "mark");
    text +=
        text_at((sheet.left + end) / 2, sheet.height - 12, "middle", "axis", escaped(plot.x.label));
    const std::string middle = number((sheet.top + ground) / 2);
    const std::string side = number(sheet.label);
    text += "<text class=\"axis\" x=\"" + side + "\" y=\"" + middle +
            "\" text-anchor=\"middle\" transform=\"rotate(-90 " + side + " " + middle + ")\">" +
            escaped(plot.y.label) + "</text>\n";
    return text;
}

using Points = std::vector<std::pair<double, double>>;

// Slopes with which a cubic through the points rises and falls only where they do (Fritsch and
// Carlson 1980, in the harmonic form of Fritsch and Butland 1984).
std::vector<double> monotone_slopes(const Points& points) {
    std::vector<double> slopes(points.size(), 0);
    const auto secant = [&](std::size_t i) {
        return (points[i + 1].second - points[i].second) / (points[i + 1].first - points[i].first);
    };
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        const double before = secant(i - 1);
        const double after = secant(i);
        if (before * after > 0) slopes[i] = 2 * before * after / (before + after);
    }
    if (points.size() > 1) {
        slopes.front() = secant(0);
        slopes.back() = secant(points.size() - 2);
    }
    return slopes;
}

std::string curve(const Points& points) {
    const std::vector<double> slopes = monotone_slopes(points);
    std::string path = "M" + number(points[0].first) + " " + number(points[0].second);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const auto& [x0, y0] = points[i - 1];
        const auto& [x1, y1] = points[i];
        const double third = (x1 - x0) / 3;
        path += "C" + number(x0 + third) + " " + number(y0 + slopes[i - 1] * third) + " " +
                number(x1 - third) + " " + number(y1 - slopes[i] * third) + " " + number(x1) + " " +
                number(y1);
    }
    return path;
}

std::string series(const Sheet& sheet, const Plot& plot, const Series& one) {
    Points points;
    for (const auto& [x, y] : one.points)
        points.emplace_back(across(sheet, plot, x), down(sheet, plot, y));
    if (points.empty()) return "";
    const std::string style = std::to_string(one.style);
    std::string text;
    if (one.line)
        text += "<path class=\"curve s" + style + "\" d=\"" + curve(points) + "\"></path>\n";
    if (one.dots) {
        for (const auto& [x, y] : points) {
            text += "<circle class=\"dot s" + style + "\" cx=\"" + number(x) + "\" cy=\"" +
                    number(y) + "\" r=\"4.5\"></circle>\n";
        }
    }
    if (!one.name.empty()) {
        const auto& [x, y] = points[std::min(one.label_at, points.size() - 1)];
        text += text_at(x + one.label_dx, y + one.label_dy, one.label_anchor, "name s" + style,
                        escaped(one.name));
    }
    return text;
}

std::string drawn(const Sheet& sheet, const Plot& plot) {
    const std::string id = plot.id + sheet.suffix;
    std::string text =
        std::string("<svg class=\"plot ") + sheet.name + "\" role=\"img\" viewBox=\"0 0 " +
        number(sheet.width) + " " + number(sheet.height) + "\" aria-labelledby=\"" + id +
        "-title " + id + "-desc\">\n<title id=\"" + id + "-title\">" + escaped(plot.title) +
        "</title>\n<desc id=\"" + id + "-desc\">" + escaped(plot.description) + "</desc>\n";
    text += bands(sheet, plot) + axes(sheet, plot);
    for (const Series& one : plot.series) text += series(sheet, plot, one);
    return text + "</svg>\n";
}

}  // namespace

std::string bar(double value, double largest, bool both_signs) {
    const double room = both_signs ? 50 : 100;
    const double length = largest > 0 ? std::fabs(value) / largest * room : 0;
    const double zero = both_signs ? 50 : 0;
    const double start = value < 0 ? zero - length : zero;
    return "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
           "aria-hidden=\"true\" focusable=\"false\"><rect class=\"" +
           std::string(value < 0 ? "minus" : "plus") + "\" x=\"" + number(start) +
           "\" y=\"1\" width=\"" + number(length) +
           "\" height=\"6\"></rect><rect class=\"zero\" x=\"" +
           number(both_signs ? zero - 0.3 : 0) +
           "\" y=\"0\" width=\"0.6\" height=\"8\"></rect></svg>";
}

std::string svg(const Plot& plot) { return drawn(wide, plot) + drawn(narrow, plot); }

Axis decade_axis(std::string label, const std::vector<double>& values) {
    int lowest = 308;
    int highest = -308;
    const auto power = [](int exponent) {
        return *numeric::parse_decimal("1e" + std::to_string(exponent));
    };
    for (const double value : values) {
        int exponent = 0;
        while (exponent > -307 && power(exponent) > value) --exponent;
        while (exponent < 308 && power(exponent + 1) <= value) ++exponent;
        lowest = std::min(lowest, exponent);
        highest = std::max(highest, power(exponent) < value ? exponent + 1 : exponent);
    }
    if (lowest >= highest) highest = lowest + 1;
    return {std::move(label), true, power(lowest), power(highest),
            decade_ticks(lowest, highest, std::max(1, (highest - lowest) / 8))};
}

std::vector<std::pair<double, std::string>> decade_ticks(int lowest, int highest, int every) {
    std::vector<std::pair<double, std::string>> ticks;
    for (int exponent = lowest; exponent <= highest; exponent += every) {
        const std::string value = "1e" + std::to_string(exponent);
        ticks.emplace_back(*numeric::parse_decimal(value),
                           "10<tspan class=\"exponent\" dy=\"-6\">" +
                               std::string(exponent < 0 ? "\xe2\x88\x92" : "") +
                               std::to_string(exponent < 0 ? -exponent : exponent) + "</tspan>");
    }
    return ticks;
}

}  // namespace rmsnorm::report::html
