// Values that a reader of the program hands in: a list, a file, or standard input.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "cli/input/json.hpp"
#include "cli/input/limits.hpp"
#include "cli/input/npy.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::cli {

/// What messages call the values of an option: `--input`, or `--input @x.npy` for a file, `--input
/// -` for standard input.
std::string origin_of(std::string_view option, std::string_view argument);

/// The tensor that an argument holds. `option` is the name for messages (`--input`); `argument` is
/// a list, JSON such as `[[1, 2], [3, 4]]`, `@FILE`, or `-` for standard input. Throws InputError
/// and IoError.
tensor::Tensor read_tensor(std::string_view option, std::string_view argument,
                           const Limits& limits = {});

/// The same, but a .npy file of any size is left open behind its header; `limits` do not hold for
/// it.
std::variant<tensor::Tensor, NpyStream> open_tensor(std::string_view option,
                                                    std::string_view argument,
                                                    const Limits& limits = {});

/// The JSON in the file that `argument` names, with or without an @ before it, or on standard input
/// for `-`: at most `tensors` tensors within the limits, and what else belongs to them. Messages
/// say what is `accepted`. Throws InputError and IoError.
JsonNode read_json(std::string_view option, std::string_view argument, const std::string& accepted,
                   std::size_t tensors, const Limits& limits = {});

}  // namespace rmsnorm::cli
