#include "report/html/elements.hpp"

#include <algorithm>
#include <cmath>

#include "report/html/escape.hpp"
#include "report/html/svg.hpp"

namespace rmsnorm::report::html {
namespace {

// How many values of a long vector stand before and after the gap.
constexpr std::size_t head_values = 6;
constexpr std::size_t tail_values = 2;

bool is_long(std::size_t size) { return size > longest_vector; }

// The shown positions of a vector, in order.
std::vector<std::size_t> shown_positions(std::size_t size) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < size; ++i) {
        if (!is_long(size) || i < head_values || i + tail_values >= size) positions.push_back(i);
    }
    return positions;
}

std::string left_out(std::size_t size) {
    return std::to_string(size - head_values - tail_values) + " more of " + std::to_string(size);
}

// "1,0" for the second row's first value; the plain index in a vector.
std::string subscript(const tensor::Shape& shape, std::size_t flat) {
    std::string text;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        text = std::to_string(flat % shape[axis]) + (text.empty() ? "" : "," + text);
        flat /= shape[axis];
    }
    return text;
}

bool is_negative(const std::string& number) { return !number.empty() && number[0] == '-'; }

// How many digits stand before the point.
std::size_t whole_digits(const std::string& number) {
    const std::size_t start = is_negative(number) ? 1 : 0;
    return std::min(number.find_first_not_of("0123456789", start), number.size()) - start;
}

std::string element_path(const std::string& path, std::size_t i) {
    return path + "/" + std::to_string(i);
}

}  // namespace

std::string value_list(const View& view, const std::string& path, const std::string& symbol,
                       double largest) {
    const tensor::Tensor& tensor = view.tensor(path);
    const std::vector<std::size_t> positions = shown_positions(tensor.size());
    const bool own = largest == 0;
    bool negative = false;
    for (const std::size_t i : positions) {
        if (own) largest = std::max(largest, std::fabs(tensor[i]));
        negative = negative || tensor[i] < 0;
    }
    std::string text = "<ul class=\"values\">\n";
    if (positions.empty()) text += "<li class=\"gap\">no values</li>\n";
    for (const std::size_t i : positions) {
        if (is_long(tensor.size()) && i == tensor.size() - tail_values) {
            text += "<li class=\"gap\">" + left_out(tensor.size()) + "</li>\n";
        }
        const std::string below = subscript(tensor.shape(), i);
        text += "<li><span class=\"symbol\"><i>" + symbol + "</i>" +
                (tensor.size() > 1 ? "<sub>" + below + "</sub>" : "") + "</span> " +
                view.figure(element_path(path, i)) + bar(tensor[i], largest, negative) + "</li>\n";
    }
    return text + "</ul>\n";
}

std::string vector(const View& view, const std::string& path) {
    const tensor::Tensor& tensor = view.tensor(path);
    std::string text = "<span class=\"vector\">[";
    bool first = true;
    for (const std::size_t i : shown_positions(tensor.size())) {
        if (!first) text += ", ";
        first = false;
        if (is_long(tensor.size()) && i == tensor.size() - tail_values) {
            text += "<span class=\"gap\">\xe2\x80\xa6 " + left_out(tensor.size()) +
                    " \xe2\x80\xa6</span> ";
        }
        text += view.figure(element_path(path, i));
    }
    return text + "]</span>";
}

std::string shape(const tensor::Tensor& tensor) {
    std::string text = "[";
    for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
        text += (axis == 0 ? "" : ", ") + std::to_string(tensor.shape()[axis]);
    }
    return text + "]";
}

std::string card(State state, const std::string& title, const std::string& content) {
    const char* name = "";
    switch (state) {
        case State::plain: name = "card"; break;
        case State::input: name = "card solid"; break;
        case State::normalized: name = "card dashed"; break;
        case State::output: name = "card double"; break;
    }
    return std::string("<div class=\"") + name + "\">\n<h3>" + title + "</h3>\n" + content +
           "</div>\n";
}

std::string pair(const std::string& term, const std::string& content) {
    return "<div><dt>" + term + "</dt><dd>" + content + "</dd></div>\n";
}

std::string pairs(const std::string& content) { return "<dl>\n" + content + "</dl>\n"; }

std::string region(const std::string& label, const std::string& content) {
    return "<div class=\"region\" role=\"region\" aria-label=\"" + escaped(label) +
           "\" tabindex=\"0\">\n" + content + "</div>\n";
}

std::string verdict(bool good, const std::string& words) {
    return std::string("<span class=\"verdict ") + (good ? "good" : "bad") +
           "\"><span aria-hidden=\"true\">" + (good ? "\xe2\x9c\x93" : "\xe2\x9c\x97") +
           "</span> " + words + "</span>";
}

std::string table(const Table& table) {
    const auto attributes = [&](std::size_t column, const char* scope) {
        const auto& points = table.points;
        const bool begins_left = std::find(points.begin(), points.end(), column) != points.end();
        return std::string(begins_left ? " class=\"points\"" : "") +
               (*scope == 0 ? "" : std::string(" scope=\"") + scope + "\"") + ">";
    };
    std::string text = "<table";
    if (!table.name.empty()) text += " class=\"" + table.name + "\"";
    text += ">\n<caption><span>" + table.caption + "</span></caption>\n<thead><tr>";
    for (std::size_t i = 0; i < table.heads.size(); ++i) {
        text += "<th" + attributes(i, "col") + table.heads[i] + "</th>";
    }
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += i == 0 ? "<th" + attributes(i, "row") + row[i] + "</th>"
                           : "<td" + attributes(i, "") + row[i] + "</td>";
        }
        text += "</tr>\n";
    }
    return text + "</tbody>\n</table>\n";
}

std::vector<std::string> aligned(const View& view, const std::vector<std::string>& paths) {
    std::size_t most_whole = 0;
    bool negative = false;
    for (const std::string& path : paths) {
        const std::string words = view.words(path);
        most_whole = std::max(most_whole, whole_digits(words));
        negative = negative || is_negative(words);
    }
    std::vector<std::string> cells;
    for (const std::string& path : paths) {
        const std::string words = view.words(path);
        std::string cell;
        // A figure space is as wide as a digit, and the sign's place as the sign.
        for (std::size_t i = whole_digits(words); i < most_whole; ++i) cell += "\xe2\x80\x87";
        if (negative && !is_negative(words)) {
            cell += "<span class=\"sign\" aria-hidden=\"true\">-</span>";
        }
        cells.push_back(cell + view.figure(path));
    }
    return cells;
}

std::string section(const std::string& id, const std::string& title, const std::string& content) {
    return "<section id=\"" + id + "\" aria-labelledby=\"" + id + "-title\">\n<h2 id=\"" + id +
           "-title\">" + title + "</h2>\n" + content + "</section>\n";
}

std::string paragraph(const std::string& content) { return "<p>" + content + "</p>\n"; }

}  // namespace rmsnorm::report::html
