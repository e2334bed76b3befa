#include "pages/plot_tags.hpp"

#include <algorithm>
#include <optional>

#include "numeric/decimal.hpp"
#include "pages/error.hpp"
#include "pages/escape.hpp"

namespace rmsnorm::pages {
namespace {

using Resolver = PlotTags::Resolver;

// The keyed words of a tag.
class Options {
  public:
    explicit Options(const std::vector<Word>& words) : words_(words) {}

    std::optional<std::string> find(const char* key) const {
        for (const Word& word : words_) {
            if (word.key == key) return word.value;
        }
        return {};
    }

    std::string text(const char* key, const std::string& otherwise = "") const {
        return find(key).value_or(otherwise);
    }

    double number(const char* key, double otherwise) const {
        const auto found = find(key);
        return found ? number_of(*found) : otherwise;
    }

    static double number_of(const std::string& word) {
        const auto value = numeric::parse_decimal(word);
        if (!value) throw PageError("no number: " + word);
        return *value;
    }

  private:
    const std::vector<Word>& words_;
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(' ', start), text.size());
        if (end > start) words.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return words;
}

// The values of columns, one after the other.
std::vector<double> values(const std::string& patterns, const Resolver& resolve) {
    std::vector<double> all;
    for (const std::string& pattern : split(patterns)) {
        const auto [lookup, paths] = resolve(pattern);
        for (const std::string& path : paths) all.push_back(lookup->value(path));
    }
    return all;
}

double only_value(const std::string& path, const Resolver& resolve) {
    const std::vector<double> all = values(path, resolve);
    if (all.size() != 1) throw PageError("one figure is expected, not a column: " + path);
    return all.front();
}

// The axis spans the columns that `over` names: logarithmic, by whole decades; with ticks="values",
// from the least of them to the largest, each with its tick; with ticks="positions", their places
// from 1. Without `over` it spans the ticks that are given.
Axis axis_of(const Options& options, const Resolver& resolve) {
    Axis axis;
    const std::string ticks = options.text("ticks", "decades");
    const std::string over = options.text("over");
    const std::vector<double> all = values(over, resolve);
    if (ticks == "decades") {
        axis = decade_axis(all);
    } else if (ticks == "values") {
        const auto [lookup, paths] = resolve(over);
        for (const std::string& path : paths) {
            axis.ticks.push_back({lookup->value(path), escaped(lookup->words(path))});
        }
    } else if (ticks == "positions") {
        for (std::size_t i = 1; i <= all.size(); ++i) {
            axis.ticks.push_back({static_cast<double>(i), std::to_string(i)});
        }
    } else {
        for (const std::string& word : split(ticks)) {
            axis.ticks.push_back({Options::number_of(word), word});
        }
    }
    if (ticks != "decades") {
        if (axis.ticks.empty()) throw PageError("an axis without ticks");
        const auto by_value = [](const Tick& a, const Tick& b) { return a.value < b.value; };
        std::stable_sort(axis.ticks.begin(), axis.ticks.end(), by_value);
        axis.low = axis.ticks.front().value;
        axis.high = axis.ticks.back().value;
        axis.logarithmic = options.text("scale") == "log";
        if (!(axis.low < axis.high)) axis.high = axis.low > 0 ? 2 * axis.low : axis.low + 1;
    }
    axis.label = options.text("label");
    return axis;
}

void place_label(Series& series, const Options& options) {
    const std::string at = options.text("label-at", "middle");
    const std::size_t count = series.points.size();
    if (at == "middle") {
        series.label_at = count / 2;
    } else if (at.rfind("level ", 0) == 0) {
        // Where the line first comes to the level.
        const double level = Options::number_of(at.substr(6));
        while (series.label_at + 1 < count && series.points[series.label_at].y < level) {
            ++series.label_at;
        }
    } else {
        const auto back = static_cast<std::size_t>(Options::number_of(at));
        series.label_at = count > back ? count - 1 - back : 0;
    }
    series.label_dx = options.number("dx", 0);
    series.label_dy = options.number("dy", -14);
    series.label_anchor = options.text("anchor", "middle");
}

Series series_of(const Options& options, const Resolver& resolve) {
    Series series{
        options.text("name"), options.text("style"), !options.find("dots-only"), true, {}};
    const std::vector<double> ys = values(options.text("y"), resolve);
    const bool by_position = options.text("x") == "position";
    const std::vector<double> xs =
        by_position ? std::vector<double>() : values(options.text("x"), resolve);
    if (!by_position && xs.size() != ys.size()) throw PageError("columns of two lengths");
    for (std::size_t i = 0; i < ys.size(); ++i) {
        series.points.push_back({by_position ? static_cast<double>(i + 1) : xs[i], ys[i]});
    }
    place_label(series, options);
    return series;
}

SignalShare signal_share(const Options& options, const Resolver& resolve) {
    const auto figure = [&](const char* key) { return only_value(options.text(key), resolve); };
    return SignalShare(figure("factor"), figure("mean-square"), figure("epsilon"));
}

}  // namespace

bool PlotTags::take(const std::vector<Word>& words, const Resolver& resolve) {
    const std::string& tag = words.front().value;
    const Options options(words);
    if (tag == "x-axis") {
        plot_.x = axis_of(options, resolve);
    } else if (tag == "y-axis") {
        plot_.y = axis_of(options, resolve);
    } else if (tag == "series") {
        plot_.series.push_back(series_of(options, resolve));
    } else if (tag == "signal-share") {
        const SignalShare share = signal_share(options, resolve);
        Series curve{options.text("name"), options.text("style"), true, false, {}};
        for (std::size_t i = 0; i < curve_points; ++i) {
            const double x = value_at(plot_.x, static_cast<double>(i) / (curve_points - 1));
            curve.points.push_back({x, share.at(x)});
        }
        place_label(curve, options);
        plot_.series.push_back(std::move(curve));
    } else if (tag == "signal-band") {
        const SignalShare share = signal_share(options, resolve);
        const auto end = [&](const char* key, double open) {
            return options.find(key) ? share.factor_of(options.number(key, 0)) : open;
        };
        plot_.bands.push_back({options.text("name"), options.text("style"),
                               end("from", plot_.x.low), end("to", plot_.x.high)});
    } else {
        return false;
    }
    return true;
}

}  // namespace rmsnorm::pages
