#include "pages/drawing.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/decimal.hpp"
#include "numeric/elementary.hpp"
#include "pages/escape.hpp"
#include "pages/reading.hpp"
#include "report/svg.hpp"

namespace rmsnorm::pages {
namespace {

using report::svg_number;

// The sheet on which a plot is drawn and its margins; the style sheet shows the one that fits the
// screen, so that the letters have their size on both.
struct Sheet {
    const char* name;  // a class
    double width;
    double height;
    double left;
    double right;
    double top;
    double bottom;
    double least_pitch;  // between two ticks with words
    double label;        // how far from the left the y axis has its name

    double end() const { return width - right; }
    double ground() const { return height - bottom; }
};

constexpr Sheet wide{"drawn-wide", 720, 400, 84, 24, 40, 68, 0, 18};
constexpr Sheet narrow{"drawn-narrow", 360, 300, 64, 14, 36, 60, 40, 13};

// From 0 at the axis' low end to 1 at its high end.
double share(const Axis& axis, double value) {
    if (!axis.logarithmic) return (value - axis.low) / (axis.high - axis.low);
    const double low = numeric::log(axis.low);
    return (numeric::log(value) - low) / (numeric::log(axis.high) - low);
}

double across(const Sheet& sheet, const Plot& plot, double x) {
    return sheet.left + (sheet.end() - sheet.left) * share(plot.x, x);
}

double down(const Sheet& sheet, const Plot& plot, double y) {
    return sheet.ground() - (sheet.ground() - sheet.top) * share(plot.y, y);
}

// `name="12.5"` for each name and number in turn.
std::string attributes(std::initializer_list<std::pair<const char*, double>> all) {
    std::string text;
    for (const auto& [name, value] : all) {
        text += std::string(" ") + name + "=\"" + svg_number(value) + "\"";
    }
    return text;
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& name,
                    const std::string& content, const std::string& more = "") {
    return "<text class=\"" + name + "\"" + attributes({{"x", x}, {"y", y}}) + " text-anchor=\"" +
           anchor + "\"" + more + ">" + content + "</text>\n";
}

std::string line_between(double x1, double y1, double x2, double y2, const char* name) {
    return std::string("<line class=\"") + name + "\"" +
           attributes({{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}}) + "></line>\n";
}

std::string bands(const Sheet& sheet, const Plot& plot) {
    std::string text;
    for (const Band& band : plot.bands) {
        const double from = across(sheet, plot, std::max(band.from, plot.x.low));
        const double to = across(sheet, plot, std::min(band.to, plot.x.high));
        if (!(from < to)) continue;
        text += "<rect class=\"band " + band.style + "\"" +
                attributes({{"x", from},
                            {"y", sheet.top},
                            {"width", to - from},
                            {"height", sheet.ground() - sheet.top}}) +
                "></rect>\n";
        text += text_at((from + to) / 2, sheet.top - 14, "middle", "band-name", escaped(band.name));
    }
    return text;
}

std::string axes(const Sheet& sheet, const Plot& plot) {
    std::string text;
    for (const Tick& tick : plot.y.ticks) {
        const double y = down(sheet, plot, tick.value);
        text += line_between(sheet.left, y, sheet.end(), y, "grid");
        text += text_at(sheet.left - 10, y + 5, "end", "tick", tick.words);
    }
    const double ground = sheet.ground();
    double last = -sheet.width;
    for (const Tick& tick : plot.x.ticks) {
        const double x = across(sheet, plot, tick.value);
        text += line_between(x, ground, x, ground + 6, "mark");
        if (x - last < sheet.least_pitch) continue;
        text += text_at(x, ground + 24, "middle", "tick", tick.words);
        last = x;
    }
    text += line_between(sheet.left, ground, sheet.end(), ground, "mark");
    text += text_at((sheet.left + sheet.end()) / 2, sheet.height - 12, "middle", "axis",
                    escaped(plot.x.label));
    const double middle = (sheet.top + ground) / 2;
    return text + text_at(sheet.label, middle, "middle", "axis", escaped(plot.y.label),
                          " transform=\"rotate(-90 " + svg_number(sheet.label) + " " +
                              svg_number(middle) + ")\"");
}

// Straight from point to point; on a level stretch only its ends are said.
std::string path(const std::vector<Point>& points) {
    std::string text;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::string y = svg_number(points[i].y);
        const bool inside = i > 0 && i + 1 < points.size();
        if (inside && svg_number(points[i - 1].y) == y && svg_number(points[i + 1].y) == y)
            continue;
        text += (text.empty() ? "M" : "L") + svg_number(points[i].x) + " " + y;
    }
    return text;
}

std::string series(const Sheet& sheet, const Plot& plot, const Series& one) {
    std::vector<Point> points;
    for (const auto& [x, y] : one.points) {
        points.push_back({across(sheet, plot, x), down(sheet, plot, y)});
    }
    if (points.empty()) return "";
    std::string text;
    if (one.line) {
        text += "<path class=\"curve " + one.style + "\" d=\"" + path(points) + "\"></path>\n";
    }
    if (one.dots) {
        for (const auto& [x, y] : points) {
            text += "<circle class=\"dot " + one.style + "\"" +
                    attributes({{"cx", x}, {"cy", y}, {"r", 4.5}}) + "></circle>\n";
        }
    }
    if (!one.name.empty()) {
        const Point& beside = points[std::min(one.label_at, points.size() - 1)];
        text += text_at(beside.x + one.label_dx, beside.y + one.label_dy, one.label_anchor,
                        "name " + one.style, escaped(one.name));
    }
    return text;
}

std::string drawn(const Sheet& sheet, const Plot& plot, const std::string& words) {
    std::string text = std::string("<svg class=\"plot ") + sheet.name +
                       "\" role=\"img\" viewBox=\"0 0 " + svg_number(sheet.width) + " " +
                       svg_number(sheet.height) + "\">\n" + words + bands(sheet, plot) +
                       axes(sheet, plot);
    for (const Series& one : plot.series) text += series(sheet, plot, one);
    return text + "</svg>\n";
}

double power_of_ten(int exponent) {
    return *numeric::parse_decimal("1e" + std::to_string(exponent));
}

}  // namespace

void BarScale::include(double value) {
    largest = std::max(largest, std::fabs(value));
    both_signs = both_signs || value < 0;
}

std::string bar(double value, const BarScale& scale, std::optional<double> ghost) {
    const double room = scale.both_signs ? 50 : 100;
    const double zero = scale.both_signs ? 50 : 0;
    const auto length = [&](double of) {
        return scale.largest > 0 ? std::fabs(of) / scale.largest * room : 0;
    };
    const auto rect = [](const char* name, double x, double y, double width, double height) {
        return std::string("<rect class=\"") + name + "\"" +
               attributes({{"x", x}, {"y", y}, {"width", width}, {"height", height}}) + "></rect>";
    };
    const bool minus = value < 0;
    std::string text =
        "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
        "aria-hidden=\"true\" focusable=\"false\">" +
        rect(minus ? "minus" : "plus", minus ? zero - length(value) : zero, 1, length(value), 6) +
        rect("zero", scale.both_signs ? zero - 0.3 : 0, 0, 0.6, 8);
    if (ghost) {
        const double end = *ghost < 0 ? zero - length(*ghost) : zero + length(*ghost);
        text += rect("ghost", std::clamp(end - 0.4, 0.0, 99.2), 0, 0.8, 8);
    }
    return text + "</svg>";
}

std::string scale_ends(const BarScale& scale) {
    // Three digits, without zeros at the end.
    int decimals = 2;
    for (double at = scale.largest; at >= 10 && decimals > 0; at /= 10) --decimals;
    for (double at = scale.largest; at > 0 && at < 1 && decimals < 12; at *= 10) ++decimals;
    std::string end = numeric::fixed(scale.largest, decimals);
    if (decimals > 0) end.resize(end.find_last_not_of('0') + 1);
    if (end.back() == '.') end.pop_back();
    end = reading(scale.largest, end, evidence::Precision::binary64, 12).html();
    const std::string low = scale.both_signs ? "<span>\xe2\x88\x92" + end + "</span>" : "";
    return low + "<span>0</span><span>" + end + "</span>";
}

std::string svg(const Plot& plot, const std::string& words) {
    return drawn(wide, plot, words) + drawn(narrow, plot, words);
}

Axis decade_axis(const std::vector<double>& values) {
    int lowest = 308;
    int highest = -307;
    for (const double value : values) {
        if (!(value > 0)) continue;
        int exponent = 0;
        while (exponent > -307 && power_of_ten(exponent) > value) --exponent;
        while (exponent < 307 && power_of_ten(exponent + 1) <= value) ++exponent;
        lowest = std::min(lowest, exponent);
        highest = std::max(highest, power_of_ten(exponent) < value ? exponent + 1 : exponent);
    }
    if (lowest >= highest) {
        lowest = std::min(lowest, 307);
        highest = lowest + 1;
    }
    Axis axis{"", true, power_of_ten(lowest), power_of_ten(highest), {}};
    for (int at = lowest; at <= highest; at += std::max(1, (highest - lowest) / 8)) {
        axis.ticks.push_back({power_of_ten(at), "10<tspan class=\"exponent\" dy=\"-6\">" +
                                                    std::string(at < 0 ? "\xe2\x88\x92" : "") +
                                                    std::to_string(at < 0 ? -at : at) +
                                                    "</tspan>"});
    }
    return axis;
}

double value_at(const Axis& axis, double share) {
    if (!axis.logarithmic) return axis.low + (axis.high - axis.low) * share;
    const double low = numeric::log(axis.low);
    return numeric::exp(low + (numeric::log(axis.high) - low) * share);
}

SignalShare::SignalShare(double factor, double mean_square, double epsilon)
    : even_(factor * std::sqrt(epsilon / mean_square)) {}

double SignalShare::at(double factor) const {
    const double ratio = even_ / factor;
    return 1 / (1 + ratio * ratio);
}

double SignalShare::factor_of(double share) const { return even_ * std::sqrt(share / (1 - share)); }

}  // namespace rmsnorm::pages
