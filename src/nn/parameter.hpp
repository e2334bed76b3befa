// Learned parameters and the stable names by which checkpoints and optimizers know them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autodiff/value.hpp"
#include "numeric/typed_error.hpp"

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

  private:
    std::string name_;
    autodiff::Value value_;
};

/// The parameters of a model, in order; no two have the same name.
class NamedParameters {
  public:
    /// Throws ParameterNameError (RepeatedName).
    explicit NamedParameters(std::vector<NamedParameter> parameters);

    std::span<const NamedParameter> all() const { return all_; }

  private:
    std::vector<NamedParameter> all_;
};

struct EmptyName {
    bool operator==(const EmptyName&) const = default;
};

struct NameTooLong {
    std::size_t bytes;
    std::size_t most;

    bool operator==(const NameTooLong&) const = default;
};

/// Two dots in a row, or a dot at an end.
struct EmptyNamePart {
    std::string name;

    bool operator==(const EmptyNamePart&) const = default;
};

/// `code_point` cannot stand in a name; `offset` counts bytes from 0 (messages count from 1).
struct NameCharacter {
    std::uint32_t code_point;
    std::size_t offset;

    bool operator==(const NameCharacter&) const = default;
};

struct NameNotUtf8 {
    std::size_t offset;

    bool operator==(const NameNotUtf8&) const = default;
};

/// Another parameter has this name already.
struct RepeatedName {
    std::string name;
    bool operator==(const RepeatedName&) const = default;
};

class ParameterNameError : public numeric::TypedError<EmptyName, NameTooLong, EmptyNamePart,
                                                      NameCharacter, NameNotUtf8, RepeatedName> {
  public:
    explicit ParameterNameError(Case rejection);
};

}  // namespace rmsnorm::nn
