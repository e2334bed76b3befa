#include "judge/recipe.hpp"

#include <cmath>

namespace rmsnorm::judge {
namespace {

using numeric::NumberFormat;
using numeric::round_to;

// width^(-1/2) to within little more than half an ulp: one Newton step from the two roundings.
double inverse_root(double width) {
    const double root = 1 / std::sqrt(width);
    const double product = width * root;
    const double rest = std::fma(width, root, -product);
    const double residual = std::fma(-product, root, 1.0) - rest * root;
    return root + root * (residual / 2);
}

// What Rounding::wide is for an input of the format.
NumberFormat wide_format(NumberFormat input) {
    return input == NumberFormat::binary64 ? input : NumberFormat::binary32;
}

// An operation of numbers of at most 24 bits rounds once although binary64 rounds before: 53 bits
// are more than twice as many and two.
struct Computation {
    Computation(const Steps& given, const TensorFormats& formats)
        : steps(given), cast(cast_formats(given, formats)) {}

    const Steps& steps;
    CastFormats cast;
    NumberFormat wide = wide_format(cast.statistics.input);

    double rounded(Rounding to, double value) const {
        return round_to(rounding_format(to, cast.statistics), value);
    }

    double square_sum(std::span<const double> input) const {
        const NumberFormat sum_format = steps.binary64_sum ? NumberFormat::binary64 : wide;
        double total = 0;
        for (const double stored : input) {
            const double value = round_to(cast.statistics.input, stored);
            total = round_to(sum_format, total + rounded(steps.statistics, value * value));
        }
        return total;
    }

    RecipeRow statistics(double total, double width, double epsilon) const {
        const double addend = rounded(steps.epsilon, epsilon);
        RecipeRow row;
        const double sum = steps.rounds_sum ? rounded(steps.statistics, total) : total;
        row.mean_square = rounded(steps.statistics, sum / width);
        if (steps.epsilon_place == EpsilonPlace::outside) {
            const double norm = rounded(Rounding::input, round_to(wide, std::sqrt(total)));
            const double factor = steps.wide_factor ? round_to(wide, inverse_root(width))
                                                    : rounded(Rounding::input, inverse_root(width));
            const double rms = rounded(Rounding::input, norm * factor);
            row.root = rounded(Rounding::input, rms + addend);
            return row;
        }
        const double denominator = rounded(steps.statistics, row.mean_square + addend);
        const double root = round_to(wide, std::sqrt(denominator));
        if (steps.root == Root::reciprocal) {
            row.scale = rounded(steps.scale, round_to(wide, 1 / root));
            return row;
        }
        row.root = rounded(steps.scale, root);
        if (steps.root == Root::root_reciprocal) row.scale = rounded(steps.scale, 1 / row.root);
        return row;
    }

    double element(const RecipeRow& row, double stored, double gain) const {
        const double value = round_to(cast.products.input, stored);
        const bool divides =
            steps.root == Root::division || steps.epsilon_place == EpsilonPlace::outside;
        switch (steps.products) {
            case Products::gain_scale_first:
                return value * round_to(cast.first_product, row.scale * gain);
            case Products::gain_input_first:
                return round_to(cast.first_product, value * gain) * row.scale;
            case Products::normalized_first: break;
        }
        const double exact = divides ? value / row.root : value * row.scale;
        return round_to(cast.first_product, round_to(wide_format(cast.products.input), exact)) *
               gain;
    }
};

}  // namespace

std::vector<Steps> variants(const Steps& steps) {
    std::vector<Steps> all = {steps};
    if (steps.statistics != Rounding::wide) {
        all.push_back(steps);
        all.back().rounds_sum = true;
    }
    if (steps.epsilon_place == EpsilonPlace::outside) {
        all.push_back(steps);
        all.back().wide_factor = true;
    }
    return all;
}

CastFormats cast_formats(const Steps& steps, const TensorFormats& formats) {
    CastFormats cast{formats, formats, rounding_format(steps.first_product, formats),
                     wide_format(formats.input)};
    if (formats.gain == NumberFormat::binary64) {
        if (steps.cast == Cast::input_and_gain) {
            cast.products.gain = NumberFormat::binary32;
        } else {
            cast.last_product = formats.gain;
        }
        if (steps.first_product == Rounding::gain) cast.first_product = wide_format(formats.input);
    }
    if (formats.input != NumberFormat::binary64 || steps.cast == Cast::nothing) return cast;
    cast.statistics.input = NumberFormat::binary32;
    if (steps.cast == Cast::statistics) {
        // Such programs cast no wide product to a wide gain.
        if (cast.first_product == NumberFormat::binary32) cast.first_product = cast.last_product;
        return cast;
    }
    cast.products.input = NumberFormat::binary32;
    const bool is_widened = steps.first_product == Rounding::input;
    cast.last_product = wide_format(is_widened ? formats.input : cast.products.gain);
    if (numeric::precision(cast.first_product) > numeric::precision(NumberFormat::binary32)) {
        cast.first_product = NumberFormat::binary32;
    }
    return cast;
}

NumberFormat rounding_format(Rounding rounding, const TensorFormats& formats) {
    switch (rounding) {
        case Rounding::input: return formats.input;
        case Rounding::gain: return formats.gain;
        case Rounding::wide: break;
    }
    return wide_format(formats.input);
}

RecipeRow figures_of_sum(const Steps& steps, const TensorFormats& formats, double epsilon,
                         std::size_t width, double total) {
    const Computation computation(steps, formats);
    return computation.statistics(total, static_cast<double>(width), epsilon);
}

double effective_gain(const Steps& steps, const CastFormats& cast, double offset, double stored) {
    const double gain = round_to(cast.products.gain, stored);
    return offset == 0 ? gain
                       : round_to(rounding_format(steps.offset, cast.products), offset + gain);
}

RecipeRow compute_row(const Steps& steps, const TensorFormats& formats, double epsilon,
                      double gain_offset, std::span<const double> input,
                      std::span<const double> gain, std::span<double> output) {
    const Computation computation(steps, formats);
    const RecipeRow row = computation.statistics(computation.square_sum(input),
                                                 static_cast<double>(input.size()), epsilon);
    for (std::size_t index = 0; index < input.size(); ++index) {
        const double product = computation.element(
            row, input[index], effective_gain(steps, computation.cast, gain_offset, gain[index]));
        output[index] = round_to(formats.output, round_to(computation.cast.last_product, product));
    }
    return row;
}

}  // namespace rmsnorm::judge
