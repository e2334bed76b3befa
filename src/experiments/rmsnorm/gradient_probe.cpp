#include "experiments/rmsnorm/gradient_probe.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "evidence/rows.hpp"
#include "experiments/rmsnorm/gradient_bounds.hpp"
#include "nn/rms_norm_rows.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::experiments {
namespace {

using autodiff::CoordinateCheck;
using autodiff::GradientCheck;
using tensor::Tensor;

nn::RmsNormRows rows_with(const Tensor& gain, double epsilon) {
    return nn::RmsNormRows({gain.values().begin(), gain.values().end()}, epsilon);
}

// In ascending order. The plain loops give the bits of the tape and share none of its code.
double plain_loss(nn::RmsNormRows rows, const Tensor& input, const Tensor& upstream) {
    std::vector<double> output(input.size());
    rows.normalize(input.values(), output);
    rows.finish();
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) sum += output[i] * upstream[i];
    return sum;
}

double row_loss(nn::RmsNormRows rows, const Tensor& input, const std::vector<double>& upstream) {
    std::vector<double> output(input.size());
    rows.normalize(input.values(), output);
    rows.finish();
    CompensatedSum sum;
    for (std::size_t i = 0; i < output.size(); ++i) sum.add(output[i] * upstream[i]);
    return sum.value();
}

double column_loss(double gain, const std::vector<double>& normalized,
                   const std::vector<double>& upstream) {
    CompensatedSum sum;
    for (std::size_t i = 0; i < normalized.size(); ++i) {
        sum.add(normalized[i] * gain * upstream[i]);
    }
    return sum.value();
}

// Of the largest magnitude; zero where there is none.
int exponent_of(std::span<const double> values) {
    const double largest = max_norm(values);
    return largest == 0 ? 0 : std::ilogb(largest);
}

void divide(std::vector<double>& values, int exponent) {
    for (double& value : values) value = std::scalbn(value, -exponent);
}

// Runs a check; what stops it at an element is told of the whole tensor.
template <class Run>
auto located(ProbedTensor probed, const Tensor& tensor, std::size_t first, double step, Run run) {
    const auto fail = [&](std::size_t index, const char* reason) {
        return GradientProbeError(probed, first + index, tensor[first + index], step, reason);
    };
    try {
        return run();
    } catch (const autodiff::GradientCheckError& error) {
        if (const auto* e = std::get_if<autodiff::UnchangedProbe>(&error.rejection())) {
            throw fail(e->index, "does not change it");
        }
        if (const auto* e = std::get_if<autodiff::NonFiniteProbe>(&error.rejection())) {
            throw fail(e->index, "makes the loss overflow");
        }
        throw;
    }
}

// One coordinate of `point` by `probe`, in units of one.
CoordinateCheck one_coordinate(const Tensor& point, std::size_t at, double analytic, double step,
                               double tolerance, const autodiff::Probe& probe) {
    Tensor gradient = Tensor::filled(point.shape(), 0.0);
    gradient[at] = analytic;
    return autodiff::check_gradient(point, gradient, step, tolerance, {at}, probe).coordinates[0];
}

// A unit of errors, and what is lost at most, of the gradient and of its central difference, to
// numbers below the smallest normal one. Both are in parts of 2^exponent.
struct RowUnit {
    double unit;
    double lost;
    int exponent;
};

// The same error in parts of a unit that is so much larger as the tolerance allows for what is
// lost. The loss is in parts of 2^exponent.
CoordinateCheck in_unit(CoordinateCheck check, double analytic, const RowUnit& row,
                        double tolerance) {
    const auto& [unit, lost, exponent] = row;
    const double error = std::fabs(std::scalbn(analytic, -exponent) - check.numerical);
    const double part = tolerance > 0 ? unit + lost / tolerance : unit;
    check.scaled_error = error == 0 ? 0 : error / part;
    check.analytic = analytic;
    check.numerical = std::scalbn(check.numerical, exponent);
    check.passed = check.scaled_error <= tolerance;
    return check;
}

// The whole tensor by a loss that is summed whole.
GradientCheck probe_whole(const LayerCase& layer_case, ProbedTensor probed, const Tensor& gradient,
                          const ProbeSettings& settings,
                          const std::vector<std::size_t>& coordinates) {
    if (probed == ProbedTensor::input) {
        const nn::RmsNormRows rows = rows_with(layer_case.gain, layer_case.epsilon);
        const auto loss = [&](const Tensor& probe) {
            return plain_loss(rows, probe, layer_case.upstream);
        };
        return located(probed, layer_case.input, 0, settings.step, [&] {
            return autodiff::check_gradient(layer_case.input, gradient, settings.step,
                                            settings.tolerance, coordinates, loss);
        });
    }
    const auto loss = [&](const Tensor& probe) {
        return plain_loss(rows_with(probe, layer_case.epsilon), layer_case.input,
                          layer_case.upstream);
    };
    return located(probed, layer_case.gain, 0, settings.step, [&] {
        return autodiff::check_gradient(layer_case.gain, gradient, settings.step,
                                        settings.tolerance, coordinates, loss);
    });
}

CoordinateCheck input_coordinate(const LayerCase& layer_case, double analytic,
                                 const ProbeSettings& settings, std::size_t index) {
    const std::size_t width = row_width(layer_case.input);
    const auto values = row(layer_case.input, index / width);
    const auto adjoints = row(layer_case.upstream, index / width);
    const nn::RmsNormRows rows = rows_with(layer_case.gain, layer_case.epsilon);
    std::vector<double> weights(adjoints.begin(), adjoints.end());
    const bool by_row = settings.unit == ProbeUnit::row;
    double step = settings.step;
    RowUnit unit{};
    if (by_row) {
        const ScaledRow scaled = scaled_row(values, layer_case.epsilon);
        const ScaledWeights all = scaled_weights(adjoints, layer_case.gain);
        step *= std::sqrt(static_cast<double>(width)) * rms_of(scaled);
        // No loss overflows, and no weight without a gain.
        const int exponent = std::max(all.exponent, exponent_of(weights) - 1000);
        divide(weights, exponent);
        unit = {std::scalbn(all.norm / std::sqrt(scaled.stabilized),
                            all.exponent - scaled.exponent - exponent),
                lost_adjoints(scaled, exponent + scaled.exponent) + lost_losses(weights, step),
                exponent};
    }
    const Tensor point = Tensor::vector({values.begin(), values.end()});
    CoordinateCheck check =
        located(ProbedTensor::input, layer_case.input, index - index % width, step, [&] {
            return one_coordinate(
                point, index % width, analytic, step, settings.tolerance,
                [&](const Tensor& probe) { return row_loss(rows, probe, weights); });
        });
    if (by_row) check = in_unit(check, analytic, unit, settings.tolerance);
    check.index = index;
    return check;
}

CoordinateCheck gain_coordinate(const LayerCase& layer_case, const Tensor& normalized,
                                double analytic, const ProbeSettings& settings, std::size_t index) {
    const Tensor& gain = layer_case.gain;
    std::vector<double> column;
    std::vector<double> weights;
    for (std::size_t i = index; i < normalized.size(); i += gain.size()) {
        column.push_back(normalized[i]);
        weights.push_back(layer_case.upstream[i]);
    }
    const bool by_row = settings.unit == ProbeUnit::row;
    const double magnitude = std::max(1.0, std::fabs(gain[index]));
    const double step = by_row ? settings.step * magnitude : settings.step;
    // No loss overflows.
    const int exponent =
        by_row ? exponent_of(weights) + std::max(0, std::ilogb(magnitude) - 900) : 0;
    divide(weights, exponent);
    CompensatedSum unit;
    for (std::size_t i = 0; i < column.size(); ++i) unit.add(std::fabs(column[i] * weights[i]));
    CoordinateCheck check = located(ProbedTensor::gain, gain, index, step, [&] {
        return one_coordinate(
            Tensor::vector({gain[index]}), 0, analytic, step, settings.tolerance,
            [&](const Tensor& probe) { return column_loss(probe[0], column, weights); });
    });
    if (by_row) {
        const auto rows = static_cast<double>(column.size());
        const double root = std::sqrt(static_cast<double>(gain.size()));
        const double lost = std::scalbn(rows, -1074 - exponent) + 0x1p-1054 * root * rows;
        check = in_unit(check, analytic, {unit.value(), lost, exponent}, settings.tolerance);
    }
    check.index = index;
    return check;
}

// The rows without a gain.
Tensor normalized_rows(const LayerCase& layer_case) {
    nn::RmsNormRows rows(std::vector<double>(layer_case.gain.size(), 1.0), layer_case.epsilon);
    std::vector<double> normalized(layer_case.input.size());
    rows.normalize(layer_case.input.values(), normalized);
    rows.finish();
    return Tensor(layer_case.input.shape(), std::move(normalized));
}

}  // namespace

GradientCheck probe_gradient(const LayerCase& layer_case, ProbedTensor probed,
                             const Tensor& gradient, const ProbeSettings& settings,
                             std::size_t samples, std::uint32_t seed) {
    const bool is_input = probed == ProbedTensor::input;
    const Tensor& tensor = is_input ? layer_case.input : layer_case.gain;
    if (gradient.shape() != tensor.shape()) {
        throw autodiff::GradientCheckError(
            autodiff::GradientShapeMismatch{tensor.shape(), gradient.shape()});
    }
    // A batch without rows has nothing to move.
    if (tensor.size() == 0) return {settings.step, settings.tolerance, {}, true};
    const auto coordinates = autodiff::sample_coordinates(tensor.size(), samples, seed);
    if (settings.unit == ProbeUnit::one && layer_case.input.size() <= whole_loss) {
        return probe_whole(layer_case, probed, gradient, settings, coordinates);
    }
    const Tensor normalized = is_input ? Tensor() : normalized_rows(layer_case);
    GradientCheck check{settings.step, settings.tolerance, {}, true};
    for (const std::size_t index : coordinates) {
        check.coordinates.push_back(
            is_input ? input_coordinate(layer_case, gradient[index], settings, index)
                     : gain_coordinate(layer_case, normalized, gradient[index], settings, index));
        check.passed = check.passed && check.coordinates.back().passed;
    }
    return check;
}

GradientProbeError::GradientProbeError(ProbedTensor where, std::size_t at, double what_value,
                                       double with_step, std::string why)
    : std::runtime_error("gradient check step " + numeric::shortest(with_step) + " at element " +
                         std::to_string(at) + " of the " +
                         (where == ProbedTensor::input ? "input" : "gain") + ", " +
                         numeric::shortest(what_value) + ", " + why),
      tensor(where),
      index(at),
      value(what_value),
      step(with_step),
      reason(std::move(why)) {}

}  // namespace rmsnorm::experiments
