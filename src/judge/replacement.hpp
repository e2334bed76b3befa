// Inputs and gains that a program may have used in the place of the right ones.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "judge/explanation.hpp"
#include "judge/rows.hpp"

namespace rmsnorm::judge {

/// An input as a mistake has it, and how far it may be off where the program computed it.
struct ReplacedInput {
    std::vector<double> values;
    std::vector<double> relative_error;  // empty: exact
    double scale_error = 0;              // relative, of a scale that is computed from it
    bool usable = true;                  // false: says nothing about the row
};

struct InputReplacement {
    std::optional<Explanation> explanation;  // nothing: the input as it is
    double cost = 0;
    std::function<ReplacedInput(const Row&, const Tensors&)> apply;
    bool keeps_statistics = false;  // the scale is still that of the input as it is
    bool holds_gain = false;        // no gain multiplies it any more
};

struct GainReplacement {
    std::optional<Explanation> explanation;
    double cost = 0;
    /// The effective gain of a row.
    std::function<std::vector<double>(const Row&, const Tensors&)> apply;
};

/// A cast from binary64 as most libraries do it: rounded to binary32 first.
double by_binary32(NumberFormat format, double value);

/// The first one of each is the right one; of the gains the first two may be right, the second only
/// where it is another.
std::vector<InputReplacement> input_replacements(const Tensors& tensors);
std::vector<GainReplacement> gain_replacements(const Tensors& tensors);

/// Offset plus gain, as it is and, where it may differ, rounded to the gain's format, or with a
/// gain of binary64 that becomes binary32 first.
std::vector<GainReplacement> right_gains(const Tensors& tensors);

}  // namespace rmsnorm::judge
