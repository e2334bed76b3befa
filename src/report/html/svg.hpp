// Drawings: bars and line plots. Their coordinates are layout; the numbers beside them are figures.
#pragma once

#include <string>
#include <vector>

namespace rmsnorm::report::html {

/// One value as a bar from zero; `largest` is the magnitude that fills the width, and with
/// `both_signs` zero stands in the middle. Hidden from screen readers: the number is beside it.
std::string bar(double value, double largest, bool both_signs);

struct Axis {
    std::string label;
    bool logarithmic;
    double low;
    double high;
    /// Where the axis is marked, and with what words.
    std::vector<std::pair<double, std::string>> ticks;
};

struct Series {
    std::string name;  // written at `label_at`
    int style;         // color and dash; 1 for LayerNorm, 2 for RMSNorm
    bool line;         // a curve through the points
    bool dots;         // a mark at each point
    std::vector<std::pair<double, double>> points;
    std::size_t label_at = 0;  // the point beside which the name stands
    double label_dx = 0;       // and how far from it
    double label_dy = -12;
    const char* label_anchor = "middle";
};

/// A stretch of the x axis with a name of its own.
struct Band {
    std::string name;
    double from;
    double to;
    int style;
};

struct Plot {
    std::string id;
    std::string title;        // what it shows, for a screen reader
    std::string description;  // what can be read from it
    Axis x;
    Axis y;
    std::vector<Band> bands;
    std::vector<Series> series;
};

/// Two drawings, one for wide and one for narrow screens; the style sheet shows one of them.
std::string svg(const Plot& plot);

/// A logarithmic axis over the decades in which the positive `values` lie.
Axis decade_axis(std::string label, const std::vector<double>& values);

/// Ticks at the powers of ten of an axis, every `every`-th of them.
std::vector<std::pair<double, std::string>> decade_ticks(int lowest, int highest, int every = 1);

}  // namespace rmsnorm::report::html
