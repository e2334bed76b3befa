#include "judge/rows.hpp"

#include <algorithm>

namespace rmsnorm::judge {
namespace {

class TensorRows : public Rows {
  public:
    TensorRows(const Tensors& tensors, View view) : tensors_(tensors), view_(view) {}

    std::size_t count() const override { return tensors_.rows; }
    std::size_t width() const override { return tensors_.width; }

    bool can_read(std::size_t index) const override {
        if (view_ == View::column_major_input || view_ == View::column_major_output) {
            return tensors_.held.empty();
        }
        return tensors_.holds(index) && tensors_.holds(source_of(index));
    }

    void read(std::size_t index, Row& row) const override {
        row.index = index;
        row.gain = tensors_.gain;
        row.input.resize(tensors_.width);
        row.output.resize(tensors_.width);
        const bool input_by_columns = view_ == View::column_major_input;
        const bool output_by_columns = view_ == View::column_major_output;
        read_row(tensors_.input, input_by_columns, source_of(index), row.input);
        read_row(tensors_.output, output_by_columns, index, row.output);
    }

  private:
    std::size_t source_of(std::size_t index) const {
        const std::size_t rows = tensors_.rows;
        if (view_ == View::rows_shifted_down) return (index + rows - 1) % rows;
        if (view_ == View::rows_shifted_up) return (index + 1) % rows;
        if (view_ == View::rows_reversed) return rows - 1 - index;
        return index;
    }

    void read_row(const ElementReader& reader, bool by_columns, std::size_t index,
                  std::span<double> elements) const {
        if (by_columns) {
            reader(index, tensors_.rows, elements);
        } else {
            reader(index * tensors_.width, 1, elements);
        }
    }

    const Tensors& tensors_;
    View view_;
};

class TransposedRows : public Rows {
  public:
    explicit TransposedRows(const Tensors& tensors) : tensors_(tensors) {}

    std::size_t count() const override { return tensors_.width; }
    std::size_t width() const override { return tensors_.rows; }
    bool can_read(std::size_t) const override { return tensors_.held.empty(); }

    void read(std::size_t index, Row& row) const override {
        row.index = index;
        row.gain.assign(tensors_.rows, tensors_.gain[index]);
        row.input.resize(tensors_.rows);
        row.output.resize(tensors_.rows);
        tensors_.input(index, tensors_.width, row.input);
        tensors_.output(index, tensors_.width, row.output);
    }

  private:
    const Tensors& tensors_;
};

class GroupedRows : public Rows {
  public:
    GroupedRows(const Tensors& tensors, std::size_t groups)
        : tensors_(tensors), groups_(groups), width_(tensors.width / groups) {}

    std::size_t count() const override { return tensors_.rows * groups_; }
    std::size_t width() const override { return width_; }
    bool can_read(std::size_t index) const override { return tensors_.holds(index / groups_); }

    void read(std::size_t index, Row& row) const override {
        row.index = index;
        const auto gain = std::span(tensors_.gain).subspan(index % groups_ * width_, width_);
        row.gain.assign(gain.begin(), gain.end());
        row.input.resize(width_);
        row.output.resize(width_);
        tensors_.input(index * width_, 1, row.input);
        tensors_.output(index * width_, 1, row.output);
    }

  private:
    const Tensors& tensors_;
    std::size_t groups_;
    std::size_t width_;
};

}  // namespace

ElementReader reader_of(const std::vector<double>& values) {
    return [&values](std::size_t first, std::size_t stride, std::span<double> elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = values[first + i * stride];
    };
}

std::unique_ptr<Rows> view_of(const Tensors& tensors, View view, std::size_t groups) {
    if (view == View::transposed) return std::make_unique<TransposedRows>(tensors);
    if (view == View::grouped) return std::make_unique<GroupedRows>(tensors, groups);
    return std::make_unique<TensorRows>(tensors, view);
}

std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most) {
    std::vector<std::size_t> indices;
    const std::size_t taken = std::min(count, most);
    for (std::size_t i = 0; i < taken; ++i) {
        // Widths and row counts are far below 2^32 squared.
        indices.push_back(taken == 1 ? 0 : i * (count - 1) / (taken - 1));
    }
    return indices;
}

std::vector<std::size_t> some_of(const std::vector<std::size_t>& indices, std::size_t most) {
    std::vector<std::size_t> result;
    for (const std::size_t i : spread_indices(indices.size(), most)) result.push_back(indices[i]);
    return result;
}

}  // namespace rmsnorm::judge
