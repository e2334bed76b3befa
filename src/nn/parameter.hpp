// Learned parameters and the stable names by which checkpoints and optimizers know them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "autodiff/value.hpp"

namespace rmsnorm::nn {

/// Throws ParameterNameError unless `name` is one or more parts joined by single dots, in all at
/// most 255 bytes of UTF-8 without white space, control characters, directional embeddings,
/// overrides and isolates (U+202A-202E, U+2066-2069), or '|'. Letters of right-to-left scripts are
/// letters.
void validate_parameter_name(std::string_view name);

/// A trainable tensor under a valid name.
class NamedParameter {
  public:
    /// Throws ParameterNameError, or autodiff::AutodiffError (NonFiniteLeaf).
    NamedParameter(std::string name, tensor::Tensor tensor);

    const std::string& name() const { return name_; }
    const autodiff::Value& value() const { return value_; }
    autodiff::Value& value() { return value_; }

  private:
    std::string name_;
    autodiff::Value value_;
};

struct EmptyName {};

struct NameTooLong {
    std::size_t bytes;
    std::size_t most;
};

/// Two dots in a row, or a dot at an end.
struct EmptyNamePart {
    std::string name;
};

/// `code_point` cannot stand in a name; `offset` counts bytes from 0 (messages count from 1).
struct NameCharacter {
    std::uint32_t code_point;
    std::size_t offset;
};

struct NameNotUtf8 {
    std::size_t offset;
};

class ParameterNameError : public std::runtime_error {
  public:
    using Case = std::variant<EmptyName, NameTooLong, EmptyNamePart, NameCharacter, NameNotUtf8>;

    explicit ParameterNameError(Case rejection);

    const Case& rejection() const { return rejection_; }

  private:
    Case rejection_;
};

}  // namespace rmsnorm::nn
