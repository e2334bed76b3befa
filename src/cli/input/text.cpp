#include "cli/input/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "cli/numbers.hpp"
#include "evidence/number_text.hpp"

namespace rmsnorm::cli {
namespace {

// The longest exact decimal of a binary64 number has under 1100 characters.
constexpr std::size_t longest_number = 4096;

constexpr const char* blanks = " \t";

constexpr std::array<bool, 256> delimiters = [] {
    std::array<bool, 256> table{};
    for (const char c : {' ', ',', '\t', '\r', '\n', '#'})
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

bool is_delimiter(char byte) { return delimiters[static_cast<unsigned char>(byte)]; }

struct Element {
    std::string_view text;  // without the spaces around it
    std::size_t index;      // from 0
    std::size_t column;     // from 1

    std::string place() const {
        return "element " + std::to_string(index + 1) + " (column " + std::to_string(column) + ")";
    }
};

bool is_blank(std::string_view text) {
    return text.find_first_not_of(blanks) == std::string_view::npos;
}

// Calls `use` with each element between commas, or between blanks in a text without commas; an
// empty element is refused.
template <typename Use>
void each_element(std::string_view origin, std::string_view text, const char* example, Use use) {
    if (is_blank(text)) {
        throw InputError({std::string(origin), "", "an empty list",
                          std::string("at least one number, such as ") + example});
    }
    const bool commas = text.find(',') != std::string_view::npos;
    std::size_t start = 0;
    for (std::size_t index = 0;; ++index) {
        const std::size_t first = std::min(text.find_first_not_of(blanks, start), text.size());
        const std::size_t end = std::min(
            commas ? text.find(',', start) : text.find_first_of(blanks, first), text.size());
        std::string_view element = text.substr(std::min(first, end), end - std::min(first, end));
        element.remove_suffix(element.size() - 1 - element.find_last_not_of(blanks));
        const Element found{element, index, first + 1};
        if (element.empty()) {
            throw InputError(
                {std::string(origin), found.place(),
                 end == text.size() ? "nothing after the last comma" : "nothing before a comma",
                 std::string("numbers with one comma between them, such as ") + example});
        }
        use(found);
        start = end + 1;
        if (end == text.size() || (!commas && is_blank(text.substr(end)))) return;
    }
}

}  // namespace

TextReader::TextReader(std::string origin, const Limits& limits)
    : origin_(std::move(origin)), limits_(limits) {}

void TextReader::feed(std::string_view piece) {
    while (!piece.empty()) {
        if (comment_) {
            // The line end is the next delimiter; until then only the column moves.
            const std::size_t length = std::min(piece.find('\n'), piece.size());
            column_ += length;
            piece.remove_prefix(length);
            if (piece.empty()) return;
            comment_ = false;
        }
        const auto end = std::find_if(piece.begin(), piece.end(), is_delimiter);
        const auto length = static_cast<std::size_t>(end - piece.begin());
        if (partial_.size() + length > longest_number) {
            refuse(column_ - partial_.size(), "a number of more than 4096 characters",
                   "a finite decimal number such as 1.5 or -2e-3");
        }
        if (!partial_.empty() || length == piece.size()) {
            partial_ += piece.substr(0, length);
            column_ += length;
            if (length == piece.size()) return;
            column_ -= partial_.size();
            token(partial_);
            partial_.clear();
        } else if (length > 0) {
            token(piece.substr(0, length));
        }
        delimiter(piece[length]);
        piece.remove_prefix(length + 1);
    }
}

tensor::Tensor TextReader::finish() {
    if (!partial_.empty()) {
        column_ -= partial_.size();
        token(partial_);
    }
    end_row();
    if (rows_ == 0) {
        refuse(column_, "the end of the text and no number", "at least one number");
    }
    return tensor::Tensor(rows_ == 1 ? tensor::Shape{width_} : tensor::Shape{rows_, width_},
                          std::move(elements_));
}

void TextReader::token(std::string_view text) {
    if (carriage_return_) {
        refuse(column_ - 1, quoted(std::string_view("\r")),
               "a carriage return only at the end of a line");
    }
    const std::optional<double> number = decimal_number(text);
    if (!number) refuse_number(origin_, place(column_), text);
    if (elements_.size() == limits_.max_elements) throw too_many(origin_, place(column_), limits_);
    if (row_width_ == 1) row_has_commas_ = comma_;
    if (row_width_ > 1 && row_has_commas_ != comma_) {
        refuse(
            column_, std::string(comma_ ? "a comma" : "spaces alone") + " before " + quoted(text),
            row_has_commas_ ? "commas between all numbers of a row, and points for decimals (0.5)"
                            : "no comma in a row with spaces between its numbers");
    }
    ++row_width_;
    if (rows_ > 0 && row_width_ > width_) {
        refuse(column_, "value " + std::to_string(row_width_) + " of the row",
               evidence::counted(width_, "value") + " in each row, as in line " +
                   std::to_string(width_line_));
    }
    elements_.push_back(*number);
    comma_ = false;
    column_ += text.size();
}

void TextReader::delimiter(char byte) {
    if (byte == '\n') {
        end_row();
        ++line_;
        column_ = 1;
        return;
    }
    if (carriage_return_) {
        refuse(column_ - 1, quoted(std::string_view("\r")),
               "a carriage return only at the end of a line");
    }
    if (byte == ',') {
        // A comma stands between two numbers of a row: neither first nor after another comma.
        if (comma_ || row_width_ == 0) {
            refuse(column_, "nothing before a comma", "numbers with one comma between them");
        }
        comma_ = true;
    }
    comment_ = byte == '#';
    carriage_return_ = byte == '\r';
    ++column_;
}

void TextReader::end_row() {
    carriage_return_ = false;
    if (comma_) {
        refuse(column_, "nothing after the last comma", "numbers with one comma between them");
    }
    if (row_width_ == 0) return;
    if (rows_ == 0) {
        width_ = row_width_;
        width_line_ = line_;
    } else if (row_width_ != width_) {
        refuse(column_, "a row of " + evidence::counted(row_width_, "value"),
               evidence::counted(width_, "value") + " in each row, as in line " +
                   std::to_string(width_line_));
    }
    ++rows_;
    row_width_ = 0;
}

std::string TextReader::place(std::size_t column) const {
    return "line " + std::to_string(line_) + ", column " + std::to_string(column);
}

void TextReader::refuse(std::size_t column, std::string found, std::string accepted) const {
    throw InputError({origin_, place(column), std::move(found), std::move(accepted)});
}

tensor::Tensor parse_list(std::string_view origin, std::string_view text, const Limits& limits) {
    std::vector<double> elements;
    if (limits.empty_allowed && is_blank(text)) return tensor::Tensor::vector({});
    each_element(origin, text, "3,4", [&](const Element& element) {
        if (element.index == limits.max_elements) {
            throw too_many(std::string(origin), element.place(), limits);
        }
        const std::optional<double> number = decimal_number(element.text);
        if (!number) refuse_number(std::string(origin), element.place(), element.text);
        elements.push_back(*number);
    });
    return tensor::Tensor::vector(std::move(elements));
}

tensor::Shape parse_shape(std::string_view origin, std::string_view text) {
    tensor::Shape shape;
    each_element(origin, without_brackets(text), "2,8", [&](const Element& element) {
        const auto refuse = [&](std::string found, const char* accepted) {
            throw InputError({std::string(origin), element.place(), std::move(found), accepted});
        };
        std::size_t width = 0;
        const char* const end = element.text.data() + element.text.size();
        const auto read = std::from_chars(element.text.data(), end, width);
        if (read.ptr != end || read.ec != std::errc{}) {
            refuse(quoted(element.text), "a whole number such as 8");
        }
        if (has_spare_zeros(element.text)) {
            refuse_number(std::string(origin), element.place(), element.text);
        }
        if (shape.size() == max_rank) refuse("more than 64 axes", "at most 64 axes");
        shape.push_back(width);
        if (!product_of_axes(shape)) {
            refuse("the shape " + tensor::to_text(shape), "a shape whose product can be counted");
        }
    });
    return shape;
}

std::string without_brackets(std::string_view list) {
    std::string rest(list);
    const std::size_t first = rest.find_first_not_of(" \t");
    const std::size_t last = rest.find_last_not_of(" \t");
    if (first != std::string::npos && first != last && rest[first] == '[' && rest[last] == ']') {
        rest[first] = rest[last] = ' ';
    }
    return rest;
}

}  // namespace rmsnorm::cli
