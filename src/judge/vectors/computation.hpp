// An output with everything that it is made of, each in the range of all ways to round it.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "judge/structure.hpp"

namespace rmsnorm::judge::vectors {

inline constexpr numeric::Interval anything{-std::numeric_limits<double>::infinity(),
                                            std::numeric_limits<double>::infinity()};

/// No scale is known; and one that is not a number.
inline constexpr ScaleInterval unknown_scale{1.0, 0.0};
inline constexpr ScaleInterval no_number{std::numeric_limits<double>::quiet_NaN(),
                                         std::numeric_limits<double>::quiet_NaN()};

using Change = std::function<numeric::Interval(std::size_t element, numeric::Interval range)>;

/// `input` and `scales` have one for each element.
struct Computation {
    Formats formats;
    std::vector<Structure> structures;       // any of them
    std::vector<std::vector<double>> gains;  // effective, of the columns; any of them
    std::vector<double> input;
    std::vector<ScaleInterval> scales;
    std::vector<double> errors = {};        // relative, of the input; empty: none
    std::vector<std::size_t> sources = {};  // which element stands in each place; empty: its own
    Change change = {};                     // of the result

    numeric::Interval range(const Structure& structure, const std::vector<double>& gain,
                            std::size_t place) const {
        const std::size_t element = sources.empty() ? place : sources[place];
        const numeric::Interval result = element_range(structure, gain, element);
        return change ? change(place, result) : result;
    }

  private:
    numeric::Interval element_range(const Structure& structure, const std::vector<double>& gain,
                                    std::size_t element) const {
        const ScaleInterval& scale = scales[element];
        if (std::isnan(scale.low.high)) return {scale.low.high, scale.high.high};
        const double error = errors.empty() ? 0 : errors[element];
        if (scale.empty() || error >= 0.5) return anything;
        return output_range(structure, formats, input[element], gain[element % gain.size()], scale,
                            error);
    }
};

}  // namespace rmsnorm::judge::vectors
