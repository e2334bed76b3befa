#include "evidence/log_plot.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/decimal.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::evidence {
namespace {

constexpr std::size_t plot_width = 61;

// The powers of ten at the ends of the axis.
struct Axis {
    int first;
    int last;
};

double power_of_ten(int exponent) {
    double power = 1;
    for (int i = 0; i < exponent; ++i) power *= 10;
    for (int i = 0; i > exponent; --i) power /= 10;
    return power;
}

Axis axis_around(const std::vector<PlotSeries>& series) {
    bool found = false;
    double smallest = 1;
    double largest = 1;
    for (const PlotSeries& one : series) {
        for (const double value : one.values) {
            if (!(value > 0)) continue;
            smallest = found ? std::min(smallest, value) : value;
            largest = found ? std::max(largest, value) : value;
            found = true;
        }
    }
    constexpr int most = 45;  // binary32 reaches from 1e-45 to 3.4e38
    Axis axis{0, 0};
    while (axis.first > -most && power_of_ten(axis.first) > smallest) --axis.first;
    while (axis.last < most && power_of_ten(axis.last) < largest) ++axis.last;
    while (axis.first < axis.last && power_of_ten(axis.first + 1) <= smallest) ++axis.first;
    while (axis.last > axis.first && power_of_ten(axis.last - 1) >= largest) --axis.last;
    if (axis.first == axis.last) ++axis.last;
    return axis;
}

std::size_t column(const Axis& axis, double value) {
    const double decades = numeric::log(value) / numeric::log(10) - axis.first;
    const double place = decades / (axis.last - axis.first) * (plot_width - 1);
    return static_cast<std::size_t>(std::clamp(std::floor(place + 0.5), 0.0, plot_width - 1.0));
}

std::string padded(const std::string& label, std::size_t width) {
    return std::string(width - label.size(), ' ') + label;
}

// The powers of ten, each ending or starting at its place; those for which there is no room are
// left out.
std::string axis_line(const Axis& axis) {
    std::string line(plot_width, ' ');
    std::size_t free_from = 0;
    for (int exponent = axis.first; exponent <= axis.last; ++exponent) {
        const std::string label = "1e" + std::to_string(exponent);
        const std::size_t place = column(axis, power_of_ten(exponent));
        const std::size_t start =
            place + label.size() > plot_width ? plot_width - label.size() : place;
        if (start < free_from) continue;
        line.replace(start, label.size(), label);
        free_from = start + label.size() + 1;
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

std::string log_plot(const std::string& title, const std::vector<std::string>& row_labels,
                     const std::vector<PlotSeries>& series) {
    std::size_t label_width = 0;
    for (const std::string& label : row_labels) label_width = std::max(label_width, label.size());
    const Axis axis = axis_around(series);
    std::string text = title + ", logarithmic:";
    for (const PlotSeries& one : series) text += " " + std::string(1, one.mark) + " " + one.name;
    text += "\n" + std::string(label_width + 2, ' ') + axis_line(axis) + "\n";
    for (std::size_t row = 0; row < row_labels.size(); ++row) {
        std::string line(plot_width, ' ');
        for (const PlotSeries& one : series) {
            const double value = one.values[row];
            char& place = line[value > 0 ? column(axis, value) : 0];
            const char mark = value > 0 ? one.mark : '<';
            place = place == ' ' ? mark : '*';
        }
        text += padded(row_labels[row], label_width) + " |" +
                line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

}  // namespace rmsnorm::evidence
