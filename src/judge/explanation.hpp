// A mistake with its figures: what a verdict names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "numeric/number_format.hpp"

namespace rmsnorm::judge {

struct Explanation {
    std::string id;      // of docs/judge.md; never changes
    std::string detail;  // which variant, in words; may be empty
    std::optional<double> value;
    std::optional<std::size_t> divisor;
    std::optional<numeric::NumberFormat> dtype;
    std::optional<std::size_t> from = {};  // the first feature that is summed, where it is not 0

    bool operator==(const Explanation&) const = default;
};

/// The same mistake with the same figures, in another wording.
bool is_variant(const Explanation& a, const Explanation& b);

/// The same mistakes, whatever the number that is read off the data: where both explain the same
/// data, these do not tell the numbers apart.
bool agree(const std::vector<Explanation>& a, const std::vector<Explanation>& b);

/// Whether the formula is right and a step rounded more than the output's format needs.
bool is_imprecision(const Explanation& explanation);

/// A sentence: "epsilon is added outside the root".
std::string sentence(const Explanation& explanation);

/// The sentence of an id without figures: "the gain is rounded to a lower format before it is
/// used".
std::string description(const std::string& id);

}  // namespace rmsnorm::judge
