#include "pages/graph_drawing.hpp"

#include <algorithm>

#include "pages/escape.hpp"
#include "report/svg.hpp"

namespace rmsnorm::pages {
namespace {

constexpr double margin = 6;

// Sizes of one drawing; the style sheet shows the one that fits the screen, so that the letters
// have their size on both.
struct Sizes {
    const char* suffix;  // of the ids
    const char* name;    // a class
    double node_width;
    double node_height;
    double pitch_across;
    double pitch_down;
    double leading;
    std::size_t most_letters;  // in a line of a node
};

constexpr Sizes wide{"", "drawn-wide", 156, 62, 180, 112, 18, 21};
constexpr Sizes narrow{"-narrow", "drawn-narrow", 82, 84, 88, 124, 15, 12};

struct Spot {
    double x;  // of the node's middle
    double y;  // of its top
};

std::size_t position(const experiments::Graph& graph, const std::string& id) {
    std::size_t i = 0;
    while (i < graph.layers.size() && graph.layers[i].id != id) ++i;
    return i;
}

// Whether an edge of the layer goes past the next row: such a layer stands at the side, so that its
// edge meets no layer on the way.
bool reaches_far(const experiments::Graph& graph, const std::vector<std::size_t>& rows,
                 std::size_t layer) {
    return std::any_of(graph.connections.begin(), graph.connections.end(),
                       [&](const experiments::Connection& connection) {
                           return connection.source == graph.layers[layer].id &&
                                  rows[position(graph, connection.target)] > rows[layer] + 1;
                       });
}

// The layers of a row from left to right: of those that reach far the first one stands at the left
// side, all others at the right.
std::vector<std::size_t> in_order(const experiments::Graph& graph,
                                  const std::vector<std::size_t>& rows, std::size_t row) {
    std::vector<std::size_t> left;
    std::vector<std::size_t> middle;
    std::vector<std::size_t> right;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] != row) continue;
        if (!reaches_far(graph, rows, i)) {
            middle.push_back(i);
        } else {
            (left.empty() ? left : right).push_back(i);
        }
    }
    left.insert(left.end(), middle.begin(), middle.end());
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

std::vector<Spot> spots_of(const Sizes& sizes, const experiments::Graph& graph,
                           const std::vector<std::size_t>& rows, std::size_t columns) {
    std::vector<Spot> spots(graph.layers.size());
    const std::size_t lowest = rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end());
    for (std::size_t row = 0; row <= lowest; ++row) {
        const std::vector<std::size_t> layers = in_order(graph, rows, row);
        double column = (static_cast<double>(columns) - static_cast<double>(layers.size())) / 2;
        for (const std::size_t layer : layers) {
            spots[layer] = {margin + sizes.node_width / 2 + sizes.pitch_across * column,
                            margin + sizes.pitch_down * static_cast<double>(row)};
            ++column;
        }
    }
    return spots;
}

// Lines of at most so many characters, longer words aside.
std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
    std::vector<std::string> lines(1);
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(' ', start), text.size());
        const std::string word = text.substr(start, end - start);
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > most) {
            lines.emplace_back();
        }
        lines.back() += (lines.back().empty() ? "" : " ") + word;
        start = end + 1;
    }
    return lines;
}

std::string node(const Sizes& sizes, const experiments::Layer& layer, const Spot& spot) {
    const bool end = layer.kind == "input" || layer.kind == "output";
    std::string text = "<rect class=\"node";
    text += layer.kind == "module" ? " module" : end ? " end" : "";
    text += "\" x=\"" + report::svg_number(spot.x - sizes.node_width / 2) + "\" y=\"" +
            report::svg_number(spot.y) + "\" width=\"" + report::svg_number(sizes.node_width) +
            "\" height=\"" + report::svg_number(sizes.node_height) + "\" rx=\"6\"></rect>\n";
    const std::vector<std::string> lines = wrapped(layer.label, sizes.most_letters);
    double y = spot.y + sizes.node_height / 2 + 5 -
               sizes.leading * static_cast<double>(lines.size() - 1) / 2;
    for (const std::string& line : lines) {
        text += "<text x=\"" + report::svg_number(spot.x) + "\" y=\"" + report::svg_number(y) +
                "\" text-anchor=\"middle\">" + escaped(line) + "</text>\n";
        y += sizes.leading;
    }
    return text;
}

// Straight down past the rows between, then over to the target in the last gap.
std::string edge(const Sizes& sizes, const Spot& from, const Spot& to) {
    const double gap = sizes.pitch_down - sizes.node_height;
    const double end = to.y - 7;
    const double turn = to.y - gap;
    const std::string x = report::svg_number(to.x);
    return "<path class=\"edge\" d=\"M" + report::svg_number(from.x) + " " +
           report::svg_number(from.y + sizes.node_height) + "V" + report::svg_number(turn) + "C" +
           report::svg_number(from.x) + " " + report::svg_number(turn + gap * 0.7) + " " + x + " " +
           report::svg_number(end - gap * 0.7) + " " + x + " " + report::svg_number(end) +
           "\"></path>\n<path class=\"arrow\" d=\"M" + report::svg_number(to.x - 4.5) + " " +
           report::svg_number(end - 2) + "h9l-4.5 9z\"></path>\n";
}

std::string drawn(const Sizes& sizes, const experiments::Graph& graph) {
    const std::vector<std::size_t> rows = rows_of(graph);
    std::size_t columns = 1;
    for (const std::size_t row : rows) {
        columns =
            std::max(columns, static_cast<std::size_t>(std::count(rows.begin(), rows.end(), row)));
    }
    const std::size_t lowest = rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end());
    const std::vector<Spot> spots = spots_of(sizes, graph, rows, columns);
    const double width =
        2 * margin + sizes.node_width + sizes.pitch_across * static_cast<double>(columns - 1);
    const double height =
        2 * margin + sizes.node_height + sizes.pitch_down * static_cast<double>(lowest);
    std::string text =
        std::string("<svg class=\"graph ") + sizes.name + "\" role=\"img\" viewBox=\"0 0 " +
        report::svg_number(width) + " " + report::svg_number(height) +
        "\" aria-labelledby=\"drawing-title" + sizes.suffix + " drawing-desc" + sizes.suffix +
        "\">\n<title id=\"drawing-title" + sizes.suffix +
        "\">The layers and what each feeds</title>\n<desc id=\"drawing-desc" + sizes.suffix +
        "\">From the top down: the input, both norms with their "
        "parts, the two outputs side by side. The table below lists every layer "
        "and every edge.</desc>\n";
    for (const experiments::Connection& connection : graph.connections) {
        text += edge(sizes, spots[position(graph, connection.source)],
                     spots[position(graph, connection.target)]);
    }
    for (std::size_t i = 0; i < graph.layers.size(); ++i)
        text += node(sizes, graph.layers[i], spots[i]);
    return text + "</svg>\n";
}

}  // namespace

std::vector<std::size_t> rows_of(const experiments::Graph& graph) {
    std::vector<std::size_t> rows(graph.layers.size(), 0);
    // A path is no longer than there are layers, so that as many rounds settle every row.
    for (std::size_t round = 0; round < graph.layers.size(); ++round) {
        for (const experiments::Connection& connection : graph.connections) {
            const std::size_t from = position(graph, connection.source);
            std::size_t& to = rows[position(graph, connection.target)];
            to = std::max(to, rows[from] + 1);
        }
    }
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        const std::string& id = graph.layers[i].id;
        const auto& all = graph.connections;
        const bool fed = std::any_of(all.begin(), all.end(), [&](const auto& connection) {
            return connection.target == id;
        });
        if (fed) continue;
        std::size_t first = graph.layers.size();
        for (const experiments::Connection& connection : all) {
            if (connection.source == id) {
                first = std::min(first, rows[position(graph, connection.target)]);
            }
        }
        if (first != graph.layers.size()) rows[i] = first - 1;
    }
    return rows;
}

std::string graph_drawing(const experiments::Graph& graph) {
    return drawn(wide, graph) + drawn(narrow, graph);
}

}  // namespace rmsnorm::pages
