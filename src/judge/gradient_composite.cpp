#include "judge/gradient_composite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "judge/coincidence.hpp"

namespace rmsnorm::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A number that all elements of a row share, and how far a program may be from it.
struct Shared {
    double exact = 0;
    double error = 0;
};

class CompositeRow {
  public:
    CompositeRow(const GradientReader& reader, const GradientRoundings& roundings, NumberFormat low,
                 const GradientRow& row, double reciprocal)
        : row_(row), unit_(numeric::unit_roundoff(low)) {
        const GradientFormats& formats = reader.tensors().formats;
        const auto cast = [&](NumberFormat format) {
            return numeric::precision(format) > numeric::precision(low) ? 1.0 : 0.0;
        };
        const double casts = cast(formats.gain) + cast(formats.upstream);
        const auto n = static_cast<double>(row.input.size());
        const double sums = (n + 16) * numeric::unit_roundoff(NumberFormat::binary32);
        const double r = reciprocal;
        double inner = 0;
        double magnitude = 0;
        products_.resize(row.input.size());
        for (std::size_t i = 0; i < products_.size(); ++i) {
            products_[i] = reader.gain(i, GainReading::effective) * row.upstream[i];
            inner += products_[i] * row.input[i];
            magnitude += std::fabs(products_[i] * row.input[i]);
        }
        const double cube = r * r * r / n;
        const double smallest = numeric::smallest_subnormal(low);
        root_ = {r, r * ((5 + cast(formats.input)) * unit_ + sums)};
        second_ = {cube * inner, cube * (std::fabs(inner) * (26 * unit_ + 3 * sums) +
                                         magnitude * ((5 + casts) * unit_ + sums)) +
                                     4 * smallest * (1 + magnitude / n)};
        errors_.resize(products_.size());
        for (std::size_t i = 0; i < errors_.size(); ++i) {
            const double first = r * std::fabs(products_[i]);
            const double second =
                (std::fabs(second_.exact) + second_.error) * std::fabs(row.input[i]);
            errors_[i] = unit_ * ((4.25 + casts) * first + (4 + cast(formats.input)) * second) +
                         2 * smallest *
                             (1 + std::fabs(reader.gain(i, GainReading::effective)) + r +
                              std::fabs(row.input[i]) * r * r) +
                         roundings.underflow +
                         roundings.last(r * products_[i] - second_.exact * row.input[i],
                                        row.found[i], first + second);
        }
    }

    // Of the first root R that explains the row, or the least over all that are tried; steps of
    // half a roundoff stand for those between them.
    double distance() const {
        const double low = root_.exact - root_.error;
        const double high = root_.exact + root_.error;
        const double step = unit_ * root_.exact / 2;
        const double fitted = std::clamp(fitted_root(), low, high);
        double least = distance_at(fitted);
        for (int k = 1; k <= 8 && !(least <= 1); ++k) {
            least = std::min({least, distance_at(std::max(fitted - k * step, low)),
                              distance_at(std::min(fitted + k * step, high))});
        }
        const double steps = std::min(std::ceil(2 * root_.error / step), most_steps);
        for (double k = 0; k <= steps && !(least <= 1); ++k) {
            least = std::min(least, distance_at(low + k * (high - low) / steps));
        }
        return least;
    }

    std::size_t swallowed() const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < errors_.size(); ++i) {
            const double shared =
                root_.error * std::fabs(products_[i]) + second_.error * std::fabs(row_.input[i]);
            count += std::fabs(row_.found[i]) <= errors_[i] + shared ? 1U : 0U;
        }
        return count;
    }

  private:
    static constexpr double most_steps = 64;

    double rest(double root, std::size_t i) const { return root * products_[i] - row_.found[i]; }

    double distance_at(double root) const {
        double low = second_.exact - second_.error;
        double high = second_.exact + second_.error;
        for (std::size_t i = 0; i < products_.size(); ++i) {
            const double x = row_.input[i];
            if (x == 0) continue;
            const double middle = rest(root, i) / x;
            const double error = errors_[i] / std::fabs(x);
            low = std::max(low, middle - error);
            high = std::min(high, middle + error);
        }
        if (!(low <= high)) return infinity;
        const double factor = low + (high - low) / 2;
        double largest = 0;
        for (std::size_t i = 0; i < products_.size(); ++i) {
            const double error = rest(root, i) - factor * row_.input[i];
            if (error != 0) largest = std::max(largest, std::fabs(error) / errors_[i]);
        }
        return largest;
    }

    // By least squares, each element as a part of its error.
    double fitted_root() const {
        double aa = 0, ax = 0, xx = 0, af = 0, xf = 0;
        for (std::size_t i = 0; i < products_.size(); ++i) {
            if (!(errors_[i] > 0)) continue;
            const double a = products_[i] / errors_[i];
            const double x = row_.input[i] / errors_[i];
            const double f = row_.found[i] / errors_[i];
            aa += a * a;
            ax += a * x;
            xx += x * x;
            af += a * f;
            xf += x * f;
        }
        const double determinant = aa * xx - ax * ax;
        if (!(determinant > 1e-9 * aa * xx)) return root_.exact;
        const double root = (af * xx - xf * ax) / determinant;
        return std::isfinite(root) ? root : root_.exact;
    }

    const GradientRow& row_;
    double unit_;
    Shared root_;
    Shared second_;
    std::vector<double> products_;  // gain times upstream
    std::vector<double> errors_;    // of an element, beside what it shares with the others
};

}  // namespace

std::optional<double> composite_distance(const GradientReader& reader,
                                         const GradientRoundings& roundings, NumberFormat low,
                                         const GradientRow& row) {
    const auto scale = gradient_scale(reader.tensors(), row.input, reader.tensors().epsilon);
    if (!scale || !all_finite(row.upstream)) return std::nullopt;
    if (!all_finite(row.found)) return infinity;
    return CompositeRow(reader, roundings, low, row, scale->reciprocal.high).distance();
}

std::size_t composite_swallowed(const GradientReader& reader, const GradientRoundings& roundings,
                                NumberFormat low, const GradientRow& row) {
    const auto scale = gradient_scale(reader.tensors(), row.input, reader.tensors().epsilon);
    if (!scale || !all_finite(row.upstream)) return 0;
    return CompositeRow(reader, roundings, low, row, scale->reciprocal.high).swallowed();
}

std::optional<NumberFormat> composite_format(const GradientFormats& formats, NumberFormat output) {
    const NumberFormat all[] = {formats.input, formats.gain, formats.upstream, output};
    const NumberFormat narrowest =
        *std::min_element(std::begin(all), std::end(all), [](NumberFormat a, NumberFormat b) {
            return numeric::precision(a) < numeric::precision(b);
        });
    const NumberFormat arithmetic = Formats{.input = formats.input}.arithmetic();
    if (numeric::precision(narrowest) >= numeric::precision(arithmetic)) return std::nullopt;
    return narrowest;
}

bool is_foreign_16_bits(const GradientFormats& formats, NumberFormat output, NumberFormat low) {
    return numeric::precision(low) < numeric::precision(NumberFormat::binary32) &&
           composite_format(formats, output) != low;
}

bool is_weaker_than_binary32(const Explanation& explanation, std::size_t numbers) {
    if (numbers < few_values) return true;
    const bool is_factor =
        explanation.id == "constant-factor" || explanation.id == "second-term-factor";
    return is_factor && std::fabs(explanation.value.value_or(0) - 1) <=
                            32 * numeric::unit_roundoff(NumberFormat::binary32);
}

double cost_of_rounding(NumberFormat low) { return low == NumberFormat::bfloat16 ? 1.35 : 1.3; }

GradientRoundings composite_roundings(const GradientTensors& tensors,
                                      const GradientRoundings& roundings, NumberFormat low) {
    const double unit = numeric::unit_roundoff(low);
    const double single = numeric::unit_roundoff(NumberFormat::binary32);
    const auto cast = [&](NumberFormat format) {
        return numeric::precision(format) > numeric::precision(low) ? 1.0 : 0.0;
    };
    // Of a reciprocal root, with its input, and of the products; the bound has three times that.
    const double of_summand =
        (8 + 2 * cast(tensors.formats.input) + cast(tensors.formats.upstream)) * unit +
        (static_cast<double>(tensors.width) + 16) * single;
    GradientRoundings wider = roundings;
    wider.inner_unit = std::max(roundings.inner_unit, of_summand / 3);
    wider.inner_smallest = std::max(roundings.inner_smallest, numeric::smallest_subnormal(low));
    wider.unit = std::max(roundings.unit, single);
    return wider;
}

}  // namespace rmsnorm::judge
