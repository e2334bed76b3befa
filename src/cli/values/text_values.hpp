// Values in a text file: numbers separated by spaces, commas or tabs, one row a line, # comments.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/values/values.hpp"

namespace rmsnorm::cli {

/// Reads a text in pieces of any size, holding nothing of it but the number that a piece breaks
/// off. Blank lines are skipped, lines end in \n or \r\n. `feed` and `finish` throw `ValuesError`
/// that names line and column, counted from 1 in bytes.
class TextReader {
  public:
    explicit TextReader(std::string origin, const Limits& limits = {});

    void feed(std::string_view piece);

    /// After the last piece: shape [n] for one row, [rows, width] for several. Call it once.
    Values finish();

  private:
    void token(std::string_view text);
    void delimiter(char byte);
    void end_row();
    std::string place(std::size_t column) const;
    [[noreturn]] void refuse(std::size_t column, std::string found, std::string accepted) const;

    std::string origin_;
    Limits limits_;
    Values values_;
    std::string partial_;  // the start of a number whose end is in a later piece
    std::size_t line_ = 1;
    std::size_t column_ = 1;      // of the next byte
    std::size_t row_width_ = 0;   // numbers in this line so far
    std::size_t width_ = 0;       // numbers in the first row; 0 before its end
    std::size_t width_line_ = 0;  // the line of the first row
    std::size_t rows_ = 0;
    bool comment_ = false;
    bool comma_ = false;            // a comma waits for the number after it
    bool carriage_return_ = false;  // the byte before was \r
};

/// A whole text at once.
Values parse_text(std::string_view origin, std::string_view bytes, const Limits& limits = {});

}  // namespace rmsnorm::cli
