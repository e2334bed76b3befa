// The tensors that are judged, read row by row, and the ways in which a program may have read or
// written them askew.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "judge/double_double.hpp"
#include "judge/structure.hpp"

namespace rmsnorm::judge {

/// Reads the elements `first`, `first + stride`, ... of a tensor as it lies in its file, row-major.
using ElementReader =
    std::function<void(std::size_t first, std::size_t stride, std::span<double> elements)>;

/// Reads a row-major array, which outlives the reader.
ElementReader reader_of(const std::vector<double>& values);

/// What somebody handed in: input and output of [rows, width], a gain of [width].
struct Tensors {
    std::size_t rows = 0;
    std::size_t width = 0;
    Formats formats;
    double epsilon = 0;      // at least 0
    double gain_offset = 0;  // what the layer adds to the gain
    std::vector<double> gain;
    ElementReader input;
    ElementReader output;
    std::vector<bool> held = {};  // the rows that can be read; empty: all
    std::function<DoubleDouble(std::size_t row)> row_squares = {};  // or empty: read them

    bool holds(std::size_t row) const { return held.empty() || held[row]; }
};

/// One row: input, gain as stored and output, of one length.
struct Row {
    std::size_t index = 0;
    std::vector<double> input;
    std::vector<double> gain;
    std::vector<double> output;
    std::vector<std::size_t> columns = {};  // the ones that are looked at; empty: all
};

/// Rows that share a scale each. The tensors outlive it.
class Rows {
  public:
    virtual ~Rows() = default;
    virtual std::size_t count() const = 0;
    virtual std::size_t width() const = 0;
    virtual bool can_read(std::size_t index) const = 0;
    virtual void read(std::size_t index, Row& row) const = 0;
};

enum class View {
    plain,
    column_major_output,
    column_major_input,
    rows_shifted_down,  // row k holds what belongs to row k - 1
    rows_shifted_up,
    rows_reversed,
    transposed,  // a mean over the rows, for each column
    grouped,     // a mean over each of `groups` parts of a row
};

/// `groups` is for `View::grouped` alone and divides the width.
std::unique_ptr<Rows> view_of(const Tensors& tensors, View view, std::size_t groups = 1);

/// At most `most` indices below `count`, evenly spread, with the first and the last.
std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most);

/// At most `most` of them, evenly spread.
std::vector<std::size_t> some_of(const std::vector<std::size_t>& indices, std::size_t most);

}  // namespace rmsnorm::judge
