// The case of a layer in JSON: what `--case` hands in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/input/json.hpp"
#include "cli/input/limits.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::cli {

/// A member is empty when the object does not have its key.
struct Case {
    std::optional<tensor::Shape> shape;
    std::optional<tensor::Tensor> input;
    std::optional<tensor::Tensor> gain;
    std::optional<std::string> gain_name;
    std::optional<tensor::Tensor> upstream;
    std::optional<double> epsilon;
};

/// `{"shape": [..], "input": [..], "gain": [..], "gain_name": "..", "upstream": [..], "epsilon":
/// 1e-5}`, each key optional, or a document of an experiment, whose `inputs` are the case. Tensors
/// and numbers are what `tensor_of` and `number_of` take. A flat input or upstream takes the shape;
/// an upstream without one takes the input's when it has as many values. `limits` holds for each
/// tensor. Throws InputError.
Case case_of(const JsonNode& node, const Limits& limits = {});

/// The case in the file that `argument` names, with or without an @ before it, or on standard input
/// for `-`. Throws InputError and IoError.
Case read_case(std::string_view option, std::string_view argument, const Limits& limits = {});

/// What messages say of JSON that should be a case.
inline constexpr const char* accepted_case =
    "an object with any of the keys \"shape\", \"input\", \"gain\", \"gain_name\", \"upstream\" "
    "and "
    "\"epsilon\"";

}  // namespace rmsnorm::cli
