#include "pages/strip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/svg.hpp"

namespace rmsnorm::pages {
namespace {

using report::svg_number;

constexpr double width = 600;
constexpr double margin = 24;
constexpr double least_width = 3;

// Infinite and largest finite ends lie beyond the line.
bool drawable(double value) { return std::isfinite(value) && std::fabs(value) < 1e300; }

class Line {
  public:
    void include(double value) {
        if (!drawable(value)) return;
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
    }

    double at(double value) const {
        if (!(low_ < high_)) return width / 2;
        const double share = (std::clamp(value, low_, high_) - low_) / (high_ - low_);
        return margin + share * (width - 2 * margin);
    }

  private:
    double low_ = std::numeric_limits<double>::infinity();
    double high_ = -low_;
};

struct Stretch {
    double from;
    double to;
};

Stretch stretch(const Line& line, double low, double high) {
    const double from = line.at(low) - least_width / 2;
    return {from, std::max(line.at(high), from + least_width)};
}

// Colors stand here and not in the style sheet, which every page carries.
std::string bound(const Stretch& at) {
    return "<path fill=\"none\" stroke=\"var(--blue)\" stroke-width=\"1.5\" d=\"M" +
           svg_number(at.from) + " 18H" + svg_number(at.to) + "V42H" + svg_number(at.from) +
           "Z\"></path>";
}

std::string measured(const Stretch& at) {
    return "<rect fill=\"var(--ink)\" x=\"" + svg_number(at.from) + "\" y=\"25\" width=\"" +
           svg_number(at.to - at.from) + "\" height=\"10\"></rect>";
}

std::string candidate(double at, std::size_t number) {
    return "<path stroke=\"var(--rust)\" stroke-width=\"2\" d=\"M" + svg_number(at) +
           " 14V44\"></path><text fill=\"var(--rust)\" font-size=\"12\" text-anchor=\"middle\" "
           "x=\"" +
           svg_number(at) + "\" y=\"" + (number % 2 == 1 ? "11" : "55") + "\">" +
           std::to_string(number) + "</text>";
}

}  // namespace

std::string strip(const Strip& strip) {
    Line line;
    for (const double value : {strip.bound_low, strip.bound_high, strip.low, strip.high}) {
        line.include(value);
    }
    for (const double value : strip.candidates) line.include(value);
    std::string out =
        "<svg viewBox=\"0 0 600 56\" width=\"100%\" aria-hidden=\"true\" focusable=\"false\">"
        "<path stroke=\"var(--line)\" d=\"M24 30H576\"></path>";
    out += bound(stretch(line, strip.bound_low, strip.bound_high));
    if (strip.low <= strip.high) out += measured(stretch(line, strip.low, strip.high));
    for (std::size_t i = 0; i < strip.candidates.size(); ++i) {
        if (!drawable(strip.candidates[i])) continue;
        out += candidate(line.at(strip.candidates[i]), i + 1);
    }
    return out + "</svg>";
}

}  // namespace rmsnorm::pages
