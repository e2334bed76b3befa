#include "judge/right_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "judge/row_statistics.hpp"

namespace rmsnorm::judge {

RightTest::RightTest(const Tensors& tensors) : tensors_(tensors) {
    const Row any{0, std::vector<double>(tensors.width), tensors.gain, {}};
    for (const GainReplacement& gain : right_gains(tensors)) {
        std::vector<double> effective = gain.apply(any, tensors);
        if (!gains_.empty() && effective == gains_[0]) continue;
        gains_.push_back(std::move(effective));
        for (const Structure& structure : right_structures(tensors.formats)) {
            forms_.push_back({structure, gains_.size() - 1});
        }
    }
}

Form RightTest::form(std::size_t index) const {
    return {forms_[index].structure, forms_[index].gain == 1};
}

std::optional<Scale> RightTest::scale(std::span<const double> input) const {
    ScaleContext context;
    context.epsilon = tensors_.epsilon;
    context.arithmetic = tensors_.formats.arithmetic();
    context.statistics.width = input.size();
    context.statistics.squares = sum_of_squares(input, context.arithmetic);
    return right_scale(context);
}

ScaleInterval RightTest::measured(std::size_t form, const Row& row) const {
    return measured_scale(forms_[form].structure, tensors_.formats,
                          {row.input, gains_[forms_[form].gain], row.output});
}

ScaleInterval RightTest::measured(std::size_t form, const Row& row,
                                  std::span<const std::size_t> columns) const {
    const auto chosen = [&](const std::vector<double>& values) {
        std::vector<double> result;
        result.reserve(columns.size());
        for (const std::size_t column : columns) result.push_back(values[column]);
        return result;
    };
    const std::vector<double> input = chosen(row.input);
    const std::vector<double> gain = chosen(gains_[forms_[form].gain]);
    const std::vector<double> output = chosen(row.output);
    return measured_scale(forms_[form].structure, tensors_.formats, {input, gain, output});
}

ScaleInterval RightTest::element(std::size_t form, const Row& row, std::size_t column) const {
    return element_scale(forms_[form].structure, tensors_.formats,
                         {row.input, gains_[forms_[form].gain], row.output}, column);
}

void RightTest::fits(const Row& row, const Scale& scale, std::vector<bool>& result) const {
    result.assign(forms_.size(), false);
    const ScaleInterval right = scale.interval();
    for (std::size_t form = 0; form < forms_.size(); ++form) {
        // Without a last rounding the later forms only allow more than the first.
        if (form > 0 && result[0] && !tensors_.formats.rounds_output() &&
            forms_[form].structure.factoring == Factoring::once && forms_[form].gain == 0) {
            result[form] = true;
            continue;
        }
        result[form] = measured(form, row).meets(right);
    }
}

RowKind kind_of(const Tensors& tensors, const Row& row) {
    bool zero = true;
    for (const double value : row.input) {
        if (!std::isfinite(value)) return RowKind::not_finite;
        zero = zero && value == 0;
    }
    if (zero) return tensors.epsilon > 0 ? RowKind::zero : RowKind::undefined;
    return is_without_scale(row.input, row.output, tensors.formats.arithmetic())
               ? RowKind::overflowed
               : RowKind::ordinary;
}

std::vector<bool> wrong_without_scale(RowKind kind, const Row& row) {
    std::vector<bool> wrong(row.input.size());
    const bool nan = std::any_of(row.input.begin(), row.input.end(),
                                 [](double value) { return std::isnan(value); });
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        const double y = row.output[i];
        switch (kind) {
            case RowKind::zero: wrong[i] = y != 0; break;
            case RowKind::undefined: wrong[i] = y != 0 && !std::isnan(y); break;
            case RowKind::not_finite:
                // An infinity makes the scale 0; divided by itself first it is a NaN for all.
                wrong[i] = !std::isnan(y) && (nan || std::isinf(row.input[i]) || y != 0);
                break;
            default: break;
        }
    }
    return wrong;
}

void note_error(const Tensors& tensors, const Row& row, std::span<const double> gain,
                const Scale& scale, OutputError& error) {
    const NumberFormat format = tensors.formats.output;
    const bool fine = tensors.formats.arithmetic() == NumberFormat::binary64;
    const double r = scale.exact.high;
    const auto settled_for = [&](double ulps) {
        return std::max(0.0, ulps * 0.99 - (fine ? 4 : 0)) * numeric::unit_roundoff(format);
    };
    // An error of nothing has a place too, where its bound tells something.
    for (std::size_t i = 0; i < row.input.size() && is_nowhere(error); ++i) {
        const double expected = row.input[i] * gain[i] * r;
        if (expected != 0) error = {0, 0, row.index, i, row.output[i], expected};
    }
    double settled = settled_for(error.max_ulp);
    for (std::size_t i = 0; i < row.input.size(); ++i) {
        const double expected = row.input[i] * gain[i] * r;
        double difference = std::fabs(row.output[i] - expected);
        // Most elements are settled before their ulp is computed.
        if (difference <= settled * std::fabs(expected)) continue;
        if (fine) {
            const DoubleDouble exact = product(row.input[i], gain[i]) * scale.exact;
            difference = std::fabs((DoubleDouble(row.output[i]) - exact).high);
        }
        const double ulp = std::isfinite(expected)
                               ? numeric::ulp(format, expected)
                               : numeric::ulp(format, numeric::largest_finite(format));
        double distance = difference / ulp;
        if (numeric::round_to(format, expected) == row.output[i] && std::isinf(row.output[i]))
            continue;
        if (std::isnan(distance)) distance = std::numeric_limits<double>::infinity();
        if (distance > error.max_ulp) {
            error = {distance, 0, row.index, i, row.output[i], expected};
            settled = settled_for(distance);
        }
    }
}

double bound_in_ulp(const Formats& formats, const Structure& structure, const Scale& scale,
                    double expected, double third_factor, double by_gain) {
    const double u = numeric::unit_roundoff(formats.arithmetic());
    const double rho = std::max(scale.below, scale.above);
    const double magnitude = std::fabs(expected) + by_gain;
    const double ulp = numeric::ulp(formats.output, std::isfinite(expected) ? expected : 0.0);
    double relative = rho + (structure.roundings + 0.04) * u;
    for (const NumberFormat to : {formats.output, structure.inner}) {
        if (formats.may_pass_binary32(to)) {
            relative += numeric::unit_roundoff(NumberFormat::binary32);
        }
    }
    double bound = (by_gain + magnitude * relative) / ulp +
                   2 * numeric::smallest_normal(formats.arithmetic()) / ulp;
    if (formats.rounds_output()) bound += 0.5;
    if (structure.factoring != Factoring::once) {
        // A product among the subnormal numbers is off by half the least of them instead.
        bound += std::max(magnitude * numeric::unit_roundoff(structure.inner),
                          third_factor * numeric::smallest_subnormal(structure.inner) / 2) /
                 ulp;
    }
    return bound;
}

}  // namespace rmsnorm::judge
