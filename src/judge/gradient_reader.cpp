#include "judge/gradient_reader.hpp"

#include <algorithm>
#include <cmath>

namespace rmsnorm::judge {

void GradientReader::input(std::size_t row, std::span<double> elements) const {
    read_row(tensors_.input, row, elements);
}

void GradientReader::upstream(std::size_t row, UpstreamReading reading,
                              std::span<double> elements) const {
    const ElementReader& reader = tensors_.upstream;
    const std::size_t rows = tensors_.rows;
    switch (reading) {
        case UpstreamReading::given: return read_row(reader, row, elements);
        case UpstreamReading::ones: std::fill(elements.begin(), elements.end(), 1.0); return;
        case UpstreamReading::previous_row:
            return read_row(reader, row == 0 ? rows - 1 : row - 1, elements);
        case UpstreamReading::next_row:
            return read_row(reader, row + 1 == rows ? 0 : row + 1, elements);
        case UpstreamReading::first_row: return read_row(reader, 0, elements);
        case UpstreamReading::first_element:
            reader(0, 1, elements.first(1));
            std::fill(elements.begin(), elements.end(), elements[0]);
            return;
        case UpstreamReading::column_major: return reader(row, rows, elements);
        case UpstreamReading::overwritten: return read_row(tensors_.input_gradient, row, elements);
    }
}

std::optional<GradientReader::Multiplier> GradientReader::multiplier(
    std::size_t row, ScaleReading reading, double epsilon, std::span<const double> input) const {
    if (reading == ScaleReading::one) return Multiplier{DoubleDouble(1), 0};
    std::vector<double> other;
    if (reading == ScaleReading::previous_row || reading == ScaleReading::next_row) {
        const std::size_t rows = tensors_.rows;
        const std::size_t next = row + 1 == rows ? 0 : row + 1;
        const std::size_t previous = row == 0 ? rows - 1 : row - 1;
        other.resize(input.size());
        read_row(tensors_.input, reading == ScaleReading::next_row ? next : previous, other);
        input = other;
    }
    const std::optional<GradientScale> scale = gradient_scale(tensors_, input, epsilon);
    if (!scale) return std::nullopt;
    if (reading == ScaleReading::denominator) {
        return Multiplier{scale->denominator, 2 * scale->error};
    }
    if (reading == ScaleReading::root) {
        return Multiplier{square_root(scale->denominator), scale->error};
    }
    return Multiplier{scale->reciprocal, scale->error};
}

double GradientReader::gain(std::size_t column, GainReading reading) const {
    const double stored = tensors_.gain[column];
    const double effective = tensors_.gain_offset + stored;
    switch (reading) {
        case GainReading::none: return 1;
        case GainReading::squared: return effective * effective;
        case GainReading::stored: return stored;
        case GainReading::plus_one: return effective + 1;
        case GainReading::effective: break;
    }
    return effective;
}

const GradientReader::InnerSums& GradientReader::inner_sums() const {
    if (inner_sums_) return *inner_sums_;
    const std::size_t width = tensors_.width;
    InnerSums sums;
    sums.columns.resize(width);
    sums.column_magnitudes.resize(width);
    std::vector<double> row_input(width);
    std::vector<double> row_upstream(width);
    for (std::size_t row = 0; row < tensors_.rows; ++row) {
        input(row, row_input);
        upstream(row, UpstreamReading::given, row_upstream);
        if (!all_finite(row_input) || !all_finite(row_upstream)) continue;
        for (std::size_t column = 0; column < width; ++column) {
            const double term =
                row_upstream[column] * gain(column, GainReading::effective) * row_input[column];
            sums.columns[column] += term;
            sums.column_magnitudes[column] += std::fabs(term);
            sums.total += term;
            sums.total_magnitude += std::fabs(term);
        }
    }
    inner_sums_ = std::move(sums);
    return *inner_sums_;
}

}  // namespace rmsnorm::judge
