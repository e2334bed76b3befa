// Drawings: bars and line plots. Their coordinates are layout; the numbers beside them are figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rmsnorm::pages {

/// The one zero and the one unit of all bars of a figure: `largest` is the magnitude that fills the
/// room, and with `both_signs` zero stands in the middle.
struct BarScale {
    double largest = 0;
    bool both_signs = false;

    void include(double value);
};

/// One value as a bar from zero, with a mark where a bar of `ghost` would end. Hidden from screen
/// readers: the number is beside it.
std::string bar(double value, const BarScale& scale, std::optional<double> ghost = {});

/// What the ends and the zero of such bars stand for, to three digits, an element each.
std::string scale_ends(const BarScale& scale);

struct Tick {
    double value;
    std::string words;  // HTML
};

struct Axis {
    std::string label;
    bool logarithmic = false;
    double low = 0;
    double high = 1;
    std::vector<Tick> ticks;
};

struct Point {
    double x;
    double y;
};

struct Series {
    std::string name;   // written beside the point `label_at`
    std::string style;  // a class: color and dash
    bool line = true;   // straight from point to point
    bool dots = true;   // a mark at each point
    std::vector<Point> points;
    std::size_t label_at = 0;
    double label_dx = 0;
    double label_dy = -14;
    std::string label_anchor = "middle";
};

/// A stretch of the x axis with a name of its own.
struct Band {
    std::string name;
    std::string style;  // a class
    double from;
    double to;
};

struct Plot {
    Axis x;
    Axis y;
    std::vector<Band> bands;
    std::vector<Series> series;
};

/// Two drawings, one for wide and one for narrow screens; the style sheet shows one of them.
/// `words` are its <title> and <desc>.
std::string svg(const Plot& plot, const std::string& words);

/// A logarithmic axis over the whole decades in which the positive `values` lie, with ticks at
/// powers of ten.
Axis decade_axis(const std::vector<double>& values);

/// The number of points for which a curve is computed: one a pixel of the wide drawing.
inline constexpr std::size_t curve_points = 613;

/// The value at a share from 0 to 1 of an axis.
double value_at(const Axis& axis, double share);

/// mean(normalized^2) as a function of the factor on the input: m / (m + epsilon), where m grows
/// with the factor's square.
class SignalShare {
  public:
    /// `mean_square` is that of the input times `factor`.
    SignalShare(double factor, double mean_square, double epsilon);

    double at(double factor) const;
    double factor_of(double share) const;  // the inverse, for a share between 0 and 1

  private:
    double even_;  // the factor at which the share is one half
};

}  // namespace rmsnorm::pages
