// How real implementations compute RMSNorm: which operation rounds to which format, in which order.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numeric/number_format.hpp"

namespace rmsnorm::judge {

/// What a rounding goes to. The wide format is binary32, and binary64 for a binary64 input that is
/// not cast.
enum class Rounding { wide, input, gain };

/// What of binary64 tensors is rounded to binary32 before anything is computed.
enum class Cast {
    nothing,
    statistics,      ///< the input that the statistics see, not the one that is multiplied
    input,           ///< and the one that is multiplied
    input_and_gain,  ///< and the gain
};

enum class EpsilonPlace {
    inside,  ///< root of mean square plus epsilon
    /// Norm times width^-1/2, plus epsilon; norm, product and sum are rounded to the input's
    /// format.
    outside,
};

enum class Root {
    reciprocal,       ///< one operation: 1 / root, computed in the wide format, then rounded
    root_reciprocal,  ///< two operations: root, then 1 / root, each rounded
    division,         ///< the root, by which the input is divided
};

enum class Products {
    normalized_first,  ///< (input * scale) * gain
    gain_scale_first,  ///< input * (scale * gain)
    gain_input_first,  ///< (input * gain) * scale
};

/// The steps from a row of the input to a row of the output. Every operation rounds once, to
/// nearest even; squares are summed in the wide format unless said otherwise. The last product is
/// computed in the wide format, in binary64 if a cast left one of its factors there, and rounded to
/// the output's.
struct Steps {
    Rounding statistics = Rounding::wide;  ///< of squares, mean, sum with epsilon, root
    bool rounds_sum = false;               ///< of the sum as well, before it is divided
    bool binary64_sum = false;             ///< squares are summed, and divided, in binary64
    EpsilonPlace epsilon_place = EpsilonPlace::inside;
    bool wide_factor = false;  ///< with epsilon outside width^-1/2 is not rounded
    Rounding epsilon = Rounding::wide;
    Root root = Root::reciprocal;
    Rounding scale = Rounding::wide;  ///< to which the root or its reciprocal is rounded
    Products products = Products::normalized_first;
    Rounding first_product = Rounding::wide;
    Rounding offset = Rounding::wide;  ///< to which offset + gain is rounded
    Cast cast = Cast::nothing;

    bool operator==(const Steps&) const = default;
};

/// The steps as libraries do them: where the mean square is rounded to the input's format, some
/// round the sum as well.
std::vector<Steps> variants(const Steps& steps);

/// What is rounded to which format, as one line of text.
std::string sentence(const Steps& steps);

/// A public implementation. The order of its sum is ascending where `fixed_order`; elsewhere its
/// source leaves the order to hardware or library, and ascending is one of them.
struct Recipe {
    std::string_view id;
    std::string_view implementation;
    std::string_view source;  ///< repository and file
    std::string_view default_epsilon;
    double gain_offset = 0;
    bool fixed_order = false;
    Steps steps;
};

/// All that are known, the most used first.
std::span<const Recipe> recipes();

/// Their ids.
std::vector<std::string> recipe_ids();

/// The one with that id, or null.
const Recipe* find_recipe(std::string_view id);

struct TensorFormats {
    numeric::NumberFormat input = numeric::NumberFormat::binary32;
    numeric::NumberFormat gain = numeric::NumberFormat::binary32;
    numeric::NumberFormat output = numeric::NumberFormat::binary32;
};

/// The formats after a cast.
struct CastFormats {
    TensorFormats statistics;  ///< as the mean square and the root see them
    TensorFormats products;    ///< as the products see them
    numeric::NumberFormat first_product;
    numeric::NumberFormat last_product;
};
CastFormats cast_formats(const Steps& steps, const TensorFormats& formats);

/// The figures of a row on the way. With epsilon outside or division `root` is what the input is
/// divided by; else `scale` is what it is multiplied by.
struct RecipeRow {
    double mean_square = 0;
    double root = 0;
    double scale = 0;
};

/// The format that a rounding is to.
numeric::NumberFormat rounding_format(Rounding rounding, const TensorFormats& formats);

/// The figures of a row of the width whose squares, cast and rounded as the steps say, sum up to
/// `total`.
RecipeRow figures_of_sum(const Steps& steps, const TensorFormats& formats, double epsilon,
                         std::size_t width, double total);

/// What the product is computed with: the stored gain, cast, and the offset.
double effective_gain(const Steps& steps, const CastFormats& cast, double offset, double stored);

/// One row by the steps, to the bit. `input`, `gain` and `output` are equally long and hold numbers
/// of their formats; nothing is refused: what overflows is infinite, as it is there.
RecipeRow compute_row(const Steps& steps, const TensorFormats& formats, double epsilon,
                      double gain_offset, std::span<const double> input,
                      std::span<const double> gain, std::span<double> output);

}  // namespace rmsnorm::judge
