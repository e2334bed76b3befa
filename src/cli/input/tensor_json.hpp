// Numbers, words, shapes and tensors of a JSON text: as a person writes them, or as this program
// does.
#pragma once

#include <string>
#include <string_view>

#include "cli/input/json.hpp"
#include "cli/input/limits.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::cli {

/// `[[1, 2], [3, 4]]`, numbers nested evenly, or an object as documents have it, in which `shape`
/// and `values` must be and `display` is not looked at:
///
///     {"shape": [2], "values": [3.0, 4.0], "display": …, "bits": ["4008000000000000", …]}
///
/// Its values may also be nested as the shape says. A tensor without elements needs a shape and
/// `limits.empty_allowed`. Throws InputError, also where a value and its bits disagree.
tensor::Tensor tensor_of(const JsonNode& node, const Limits& limits = {});

/// The same where a list without a shape of its own takes another one. Throws InputError when the
/// shape holds another number of elements.
tensor::Tensor tensor_of(const JsonNode& node, const Limits& limits, const tensor::Shape& shape);

/// `0.5`, or `{"value": 0.5, "display": …, "bits": …}`.
double number_of(const JsonNode& node);

/// A whole number, written without point and exponent.
std::uint64_t whole_of(const JsonNode& node, std::uint64_t least, std::uint64_t most);

std::string text_of(const JsonNode& node);

/// An array of whole numbers.
tensor::Shape shape_of(const JsonNode& node);

/// The member that must be there, of what should be an object. Throws the node's refusal.
JsonNode required_member(const JsonNode& node, std::string_view key, const std::string& accepted);

/// Throws InputError for a member of an object whose key is none of `known`.
void require_known_keys(const JsonNode& object, const std::vector<std::string_view>& known);

/// What messages say of JSON that should be a tensor.
inline constexpr const char* accepted_tensor =
    "a nested array of numbers such as [[1, 2], [3, 4]], or {\"shape\": [2, 2], \"values\": [1, 2, "
    "3, 4]}";

}  // namespace rmsnorm::cli
