// Values in JSON: a nested array, an object with its shape, or a whole case.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/values/values.hpp"

namespace rmsnorm::cli {

/// What `--case` hands in; a member is empty when the object does not have its key.
struct Case {
    std::optional<std::vector<std::size_t>> shape;
    std::optional<Values> input;
    std::optional<Values> gain;
    std::optional<Values> upstream;
    std::optional<double> epsilon;
};

/// `[[1, 2], [3, 4]]`, numbers nested evenly, or `{"shape": [2, 2], "values": [1, 2, 3, 4]}`, where
/// the values may also be nested as the shape says. Each number is the nearest binary64. Throws
/// `ValuesError` that names line and column, counted from 1 in bytes.
Values parse_json(std::string_view origin, std::string_view bytes, const Limits& limits = {});

/// `{"shape": [..], "input": [..], "gain": [..], "upstream": [..], "epsilon": 1e-5}`, each key
/// optional. Input and upstream are flat or nested; flat ones take the shape, and an upstream
/// without one takes the input's when it has as many values. `limits` holds for each array. Throws
/// `ValuesError` like `parse_json`.
Case parse_case(std::string_view origin, std::string_view bytes, const Limits& limits = {});

}  // namespace rmsnorm::cli
