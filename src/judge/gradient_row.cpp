#include "judge/gradient_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "judge/row_statistics.hpp"

namespace rmsnorm::judge {

std::optional<GradientScale> gradient_scale(const GradientTensors& tensors,
                                            std::span<const double> input, double epsilon) {
    if (!all_finite(input)) return std::nullopt;
    const NumberFormat arithmetic = Formats{.input = tensors.formats.input}.arithmetic();
    GradientScale scale;
    scale.mean_square = sum_of_squares(input, arithmetic) /
                        DoubleDouble(static_cast<double>(std::max<std::size_t>(input.size(), 1)));
    scale.denominator = scale.mean_square + DoubleDouble(epsilon);
    if (!(scale.denominator.high > 0) || !std::isfinite(scale.denominator.high)) {
        return std::nullopt;
    }
    const Scale bounded =
        reciprocal_root(arithmetic, input.size(), scale.mean_square, scale.denominator);
    scale.reciprocal = bounded.exact;
    scale.error = std::max(bounded.below, bounded.above);
    if (!(scale.error < 0.5)) return std::nullopt;
    return scale;
}

GradientRoundings::GradientRoundings(const GradientFormats& formats, NumberFormat result)
    : arithmetic(Formats{.input = formats.input}.arithmetic()), output(result) {
    using namespace numeric;
    unit = unit_roundoff(arithmetic);
    rounds_output = precision(output) < precision(arithmetic);
    for (const NumberFormat format : {formats.input, formats.gain, formats.upstream, output}) {
        if (precision(format) >= precision(arithmetic)) continue;
        inner_unit = std::max(inner_unit, unit_roundoff(format));
        inner_smallest = std::max(inner_smallest, smallest_subnormal(format));
    }
    underflow = 4 * smallest_normal(arithmetic);
    // binary16 has no hardware that flushes it.
    if (output == NumberFormat::bfloat16) underflow += smallest_normal(output);
    if (output == NumberFormat::binary32) underflow += smallest_normal(output);
    if (output == NumberFormat::binary64) underflow += smallest_normal(output);
}

double GradientRoundings::last(double exact, double found, double terms) const {
    if (!rounds_output) return unit * terms;
    const double largest = std::max(std::fabs(exact), std::fabs(found));
    return std::isfinite(largest) ? numeric::ulp(output, largest) / 2 : 0;
}

double part_of_bound(const GradientRoundings& roundings, double found, double exact,
                     double difference, double bound) {
    if (found != found) return std::numeric_limits<double>::infinity();
    if (std::isinf(found)) {
        const double reached = std::fabs(exact) + bound;
        const bool overflows = reached >= numeric::overflow_threshold(roundings.output) ||
                               reached >= numeric::largest_finite(roundings.output);
        const bool same_sign = (found > 0) == (exact > 0);
        return overflows && same_sign ? 0 : std::numeric_limits<double>::infinity();
    }
    // The judge's own roundings are far below this share of the bound.
    return std::fabs(difference) / (bound * (1 + 1e-6));
}

void read_row(const ElementReader& reader, std::size_t row, std::span<double> elements) {
    reader(row * elements.size(), 1, elements);
}

bool all_finite(std::span<const double> elements) {
    return std::all_of(elements.begin(), elements.end(),
                       [](double value) { return std::isfinite(value); });
}

double near_whole(double value, double error) {
    const double whole = std::nearbyint(value);
    const double parts = std::nearbyint(1 / value);
    const auto is_factor = [](double number) { return number != 0 && number != 1; };
    if (is_factor(whole) && std::fabs(value - whole) <= error * std::fabs(value)) return whole;
    if (is_factor(parts) && std::fabs(value * parts - 1) <= error) return 1 / parts;
    return value;
}

std::optional<std::string> pattern_of(std::span<const std::size_t> indices, std::size_t count) {
    if (indices.empty()) return std::nullopt;
    if (indices.size() == count) return "all";
    const std::size_t first = indices.front();
    if (indices.size() == 1) {
        return first + 1 == count ? "the last" : std::to_string(first);
    }
    const std::size_t step = indices[1] - first;
    for (std::size_t place = 1; place < indices.size(); ++place) {
        if (indices[place] - indices[place - 1] != step) return std::nullopt;
    }
    const std::size_t last = indices.back();
    if (step == 1) {
        if (last + 1 == count) return "from " + std::to_string(first);
        return std::to_string(first) + " to " + std::to_string(last);
    }
    if (last + step < count || first >= step || indices.size() < 3) return std::nullopt;
    return "every " + std::to_string(step) + "th from " + std::to_string(first);
}

}  // namespace rmsnorm::judge
