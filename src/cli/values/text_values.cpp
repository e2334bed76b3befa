#include "cli/values/text_values.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cli/values/content.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

// The longest exact decimal of a binary64 number has under 1100 characters.
constexpr std::size_t longest_number = 4096;

constexpr std::array<bool, 256> delimiters = [] {
    std::array<bool, 256> table{};
    for (const char c : {' ', ',', '\t', '\r', '\n', '#'})
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

bool is_delimiter(char byte) { return delimiters[static_cast<unsigned char>(byte)]; }

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

Values TextReader::finish() {
    if (!partial_.empty()) {
        column_ -= partial_.size();
        token(partial_);
    }
    end_row();
    if (rows_ == 0) {
        refuse(column_, "the end of the text and no number", "at least one number");
    }
    values_.shape = rows_ == 1 ? std::vector{width_} : std::vector{rows_, width_};
    return std::move(values_);
}

void TextReader::token(std::string_view text) {
    if (carriage_return_) {
        refuse(column_ - 1, quoted(std::string_view("\r")),
               "a carriage return only at the end of a line");
    }
    const std::optional<double> number = numeric::parse_decimal(text);
    if (!number) refuse_number(origin_, place(column_), text);
    if (has_spare_zeros(text)) refuse_spare_zeros(origin_, place(column_), text);
    if (values_.elements.size() == limits_.max_elements) {
        refuse_count(origin_, place(column_), limits_);
    }
    ++row_width_;
    if (rows_ > 0 && row_width_ > width_) {
        refuse(column_, "value " + std::to_string(row_width_) + " of the row",
               std::to_string(width_) + " values in each row, as in line " +
                   std::to_string(width_line_));
    }
    values_.elements.push_back(*number);
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
        refuse(column_, "a row of " + std::to_string(row_width_) + " values",
               std::to_string(width_) + " values in each row, as in line " +
                   std::to_string(width_line_));
    }
    ++rows_;
    row_width_ = 0;
}

std::string TextReader::place(std::size_t column) const {
    return "line " + std::to_string(line_) + ", column " + std::to_string(column);
}

void TextReader::refuse(std::size_t column, std::string found, std::string accepted) const {
    throw ValuesError({origin_, place(column), std::move(found), std::move(accepted)});
}

Values parse_text(std::string_view origin, std::string_view bytes, const Limits& limits) {
    refuse_other_encodings(origin, bytes);
    TextReader reader(std::string(origin), limits);
    reader.feed(bytes);
    return reader.finish();
}

}  // namespace rmsnorm::cli
