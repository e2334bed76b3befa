// How much a reader of values takes, and the refusal of more.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/error.hpp"
#include "tensor/shape.hpp"

namespace rmsnorm::cli {

struct Limits {
    std::size_t max_elements = std::size_t{1} << 22;
    bool empty_allowed = false;  ///< Whether a tensor may have no row.
    bool adjustable = true;      ///< Whether the command has `--max-elements`, for messages.
};

/// The most axes that any reader takes, which is also numpy's limit.
inline constexpr std::size_t max_rank = 64;

/// The option that sets the limit of elements in brackets, or nothing.
std::string limit_hint(const Limits& limits);

/// "at most 2 values", and that option.
std::string accepted_count(const Limits& limits);

/// The refusal of more elements than the limit.
InputError too_many(std::string origin, std::string place, const Limits& limits);

/// The product of the axes that are not empty, or nothing when no tensor could have so many
/// elements.
std::optional<std::size_t> product_of_axes(tensor::Shape shape);

}  // namespace rmsnorm::cli
