// Which mistakes explain an output: every pair of an input and a gain gives a measured scale a row,
// and every formula of a scale is one comparison a row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/explanation.hpp"
#include "judge/low_precision.hpp"
#include "judge/replacement.hpp"
#include "judge/rows.hpp"
#include "judge/scale_formulas.hpp"
#include "judge/structure.hpp"

namespace rmsnorm::judge {

/// How an output came from input, gain and scale.
struct Reading {
    Formats formats;
    Structure structure;
    std::vector<Explanation> explanations;  // empty for a right one
    double cost = 0;
};

/// What hypotheses are made of. The first input, the first gain and formula are right.
struct Catalogue {
    explicit Catalogue(const Tensors& tensors);

    std::vector<InputReplacement> inputs;
    std::vector<GainReplacement> gains;
    std::vector<Reading> readings;  // for outputs in their own format
    std::vector<ScaleFormula> formulas;
};

/// A number that is read off the measurement, with the interval of all its rows.
enum class Estimate {
    none,
    epsilon,
    divisor,
    prefix,  // of the first features, or divided by the width
    prefix_over_width,
    suffix,  // without the first features
    suffix_over_width,
    tail_twice,  // the last features are added twice
    factor
};

struct Hypothesis {
    std::vector<Explanation> explanations;
    double cost = 0;
    View view = View::plain;
    std::size_t groups = 1;
    std::size_t input = 0;  // indices into the catalogue
    std::size_t gain = 0;
    Reading reading;
    std::optional<std::size_t> formula;  // nothing: the right one, or an estimate
    Estimate estimate = Estimate::none;
    double estimate_slack = 0;  // relative, of the scale

    std::size_t rows = 0;          // of the view, that it explains
    std::size_t compared = 0;      // of the view, that tell a scale and were compared
    std::size_t uncompared = 0;    // of the view, that could not be read
    std::string beside = {};       // what is said of a row that it leaves out, or empty
    double largest_distance = 0;   // a part of the bound, over the rows
    double largest_roundoffs = 0;  // the same in unit roundoffs of the arithmetic
};

/// A row with a scale: what a hypothesis says of it, and what the output leaves possible.
struct RowTest {
    ScaleInterval measured;
    ScaleContext context;
    double scale_error = 0;
    bool usable = true;
};

/// Measures the row as `reading` and the replacements have it; `test.context` has statistics unless
/// the measured interval is empty.
RowTest test_row(const Tensors& tensors, const Row& row, const InputReplacement& input,
                 const GainReplacement& gain, const Reading& reading);

/// A formula's scale for the row, widened by the error of a replaced input.
std::optional<Scale> scale_for(
    const RowTest& test, const std::function<std::optional<Scale>(const ScaleContext&)>& formula);

/// How much dearer than the cheapest a hypothesis may be and still be named.
inline constexpr double named_margin = 0.3;

struct SearchLimits {
    double most_cost = 3.4;
    double margin = named_margin;  // beyond the cheapest that fits
    bool right_too = false;        // the right formula is a hypothesis as well
};

/// The hypotheses that fit all `rows` within the limits, the cheapest first. `rows` are of the
/// view; none is zero or holds what is not finite.
std::vector<Hypothesis> search(const Tensors& tensors, const Catalogue& catalogue,
                               std::span<const Row> rows, View view, std::size_t groups,
                               const SearchLimits& limits);

/// Leaves the hypotheses that fit one more row of their view, and updates their figures.
void keep_fitting(const Tensors& tensors, const Catalogue& catalogue, const Row& row,
                  RowSquares& squares, std::vector<Hypothesis>& hypotheses);

/// The scale that a hypothesis gives a row; nothing when it says nothing of the row.
std::optional<Scale> hypothesis_scale(const Tensors& tensors, const Catalogue& catalogue,
                                      const Row& row, const Hypothesis& hypothesis);

/// The output of a hypothesis on a row, with the roundings of its reading.
std::vector<double> simulated_output(const Tensors& tensors, const Catalogue& catalogue,
                                     const Row& row, const Hypothesis& hypothesis);

}  // namespace rmsnorm::judge
