#include "nn/rms_norm_rows.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "numeric/bits.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::nn {
namespace {

// A sum in ascending order is a chain of additions that wait for each other. The chains of a few
// rows side by side keep the adder busy, and every row keeps its own order.
constexpr std::size_t interleaved = 8;

void sums_of_squares(const double* rows, std::size_t width, std::array<double, interleaved>& sums) {
    sums.fill(0.0);
    for (std::size_t i = 0; i < width; ++i) {
        for (std::size_t row = 0; row < interleaved; ++row) {
            const double value = rows[row * width + i];
            sums[row] += value * value;
        }
    }
}

double sum_of_squares(std::span<const double> row) {
    double sum = 0.0;
    for (const double value : row) sum += value * value;
    return sum;
}

}  // namespace

RmsNormRows::RmsNormRows(std::vector<double> gain, double epsilon) : epsilon_(epsilon) {
    // The layer itself judges the gain and epsilon.
    const RmsNorm judged(NamedParameter("gain", tensor::Tensor::vector(gain)), epsilon);
    gain_ = std::move(gain);
}

void RmsNormRows::normalize(std::span<const double> input, std::span<double> output) {
    const std::size_t width = feature_width();
    const std::size_t rows = input.size() / width;
    const auto finish_row = [&](std::size_t row, double sum) {
        const auto values = input.subspan(row * width, width);
        scale(values, inverse_rms(values, sum), output.subspan(row * width, width));
        ++row_;
    };
    std::size_t row = 0;
    std::array<double, interleaved> sums{};
    for (; rows - row >= interleaved; row += interleaved) {
        sums_of_squares(input.data() + row * width, width, sums);
        for (std::size_t i = 0; i < interleaved; ++i) finish_row(row + i, sums[i]);
    }
    for (; row < rows; ++row) finish_row(row, sum_of_squares(input.subspan(row * width, width)));
}

// Steps 2 to 6 of the pass; any number once a step failed.
double RmsNormRows::inverse_rms(std::span<const double> row, double sum_of_squares) {
    const double mean_square = sum_of_squares / static_cast<double>(row.size());
    if (!std::isfinite(mean_square)) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const double square = row[i] * row[i];
            if (std::isfinite(square)) continue;
            reject(Step::square, row_ * row.size() + i, square);
            return 0;
        }
        reject(Step::mean_square, row_, mean_square);
        return 0;
    }
    if (epsilon_ == 0 && mean_square == 0) {
        reject(Step::zero_energy, row_, mean_square);
        return 0;
    }
    const double stabilized = mean_square + epsilon_;
    if (!std::isfinite(stabilized)) {
        reject(Step::stabilize, row_, stabilized);
        return 0;
    }
    // A logarithm of a finite positive number, half of it and its exponential stay finite.
    return numeric::exp(numeric::log(stabilized) * -0.5);
}

// Steps 7 and 8.
void RmsNormRows::scale(std::span<const double> row, double inverse_rms, std::span<double> output) {
    // A finite number less itself is +0; anything else leaves a bit. Whole groups are judged at
    // once, so that the loop over a group becomes vector code.
    constexpr std::size_t group = 64;
    const double* const values = row.data();
    const double* const gain = gain_.data();
    double* const results = output.data();
    std::uint64_t marks = 0;
    std::size_t at = 0;
    for (; row.size() - at >= group; at += group) {
        for (std::size_t i = 0; i < group; ++i) {
            const double result = values[at + i] * inverse_rms * gain[at + i];
            results[at + i] = result;
            marks |= numeric::bits(result - result);
        }
    }
    for (; at < row.size(); ++at) {
        const double result = values[at] * inverse_rms * gain[at];
        results[at] = result;
        marks |= numeric::bits(result - result);
    }
    if (marks == 0) return;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double normalized = values[i] * inverse_rms;
        const std::size_t index = row_ * row.size() + i;
        if (!std::isfinite(normalized)) {
            reject(Step::normalize, index, normalized);
        } else if (!std::isfinite(results[i])) {
            reject(Step::apply_gain, index, results[i]);
        }
    }
}

// Keeps the failure that the layer would meet first.
void RmsNormRows::reject(Step step, std::size_t index, double value) {
    if (!failure_ || step < failure_->step) failure_ = Failure{step, index, value};
}

void RmsNormRows::finish() const {
    if (!failure_) return;
    const auto tape_failure = [&](RmsNormStage stage, autodiff::Operation operation) {
        return RmsNormError(TapeFailure{stage, autodiff::AutodiffError(autodiff::NonFiniteForward{
                                                   operation, failure_->index, failure_->value})});
    };
    using autodiff::Operation;
    switch (failure_->step) {
        case Step::square: throw tape_failure(RmsNormStage::square, Operation::multiply);
        case Step::mean_square: throw tape_failure(RmsNormStage::mean_square, Operation::mean);
        case Step::zero_energy: throw RmsNormError(ZeroEnergyRow{failure_->index});
        case Step::stabilize: throw tape_failure(RmsNormStage::stabilize, Operation::add);
        case Step::normalize: throw tape_failure(RmsNormStage::normalize, Operation::multiply);
        case Step::apply_gain: throw tape_failure(RmsNormStage::apply_gain, Operation::multiply);
    }
}

}  // namespace rmsnorm::nn
