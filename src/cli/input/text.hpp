// Values as plain text: in a file, one row a line, or as an argument of the command line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/limits.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::cli {

/// Reads a text in pieces of any size, holding nothing of it but the number that a piece breaks
/// off. Between the numbers of a row stand commas, or else spaces and tabs; # starts a comment.
/// Blank lines are skipped, lines end in \n or \r\n. `feed` and `finish` throw InputError that
/// names line and column, counted from 1 in bytes.
class TextReader {
  public:
    explicit TextReader(std::string origin, const Limits& limits = {});

    void feed(std::string_view piece);

    /// After the last piece: shape [n] for one row, [rows, width] for several. Call it once.
    tensor::Tensor finish();

  private:
    void token(std::string_view text);
    void delimiter(char byte);
    void end_row();
    std::string place(std::size_t column) const;
    [[noreturn]] void refuse(std::size_t column, std::string found, std::string accepted) const;

    std::string origin_;
    Limits limits_;
    std::vector<double> elements_;
    std::string partial_;  // the start of a number whose end is in a later piece
    std::size_t line_ = 1;
    std::size_t column_ = 1;      // of the next byte
    std::size_t row_width_ = 0;   // numbers in this line so far
    std::size_t width_ = 0;       // numbers in the first row; 0 before its end
    std::size_t width_line_ = 0;  // the line of the first row
    std::size_t rows_ = 0;
    bool comment_ = false;
    bool comma_ = false;            // a comma waits for the number after it
    bool row_has_commas_ = false;   // of a row with two numbers or more
    bool carriage_return_ = false;  // the byte before was \r
};

/// Decimal numbers with commas between them, or spaces, each the nearest binary64. The shape is
/// [n]. Throws InputError that names the element and its column.
tensor::Tensor parse_list(std::string_view origin, std::string_view text,
                          const Limits& limits = {});

/// Whole numbers separated by commas (`2,8` or `[2, 8]`), whose product fits in `std::size_t`.
/// Throws InputError.
tensor::Shape parse_shape(std::string_view origin, std::string_view text);

/// The list with spaces in the place of brackets around it, so that its columns stay what they are.
std::string without_brackets(std::string_view list);

}  // namespace rmsnorm::cli
