// The optimizer's weight-decay groups: which named parameters decay, and which do not.
#pragma once

#include <string>
#include <vector>

#include "numeric/typed_error.hpp"

namespace rmsnorm::nn {

/// Every name stands in exactly one of the two groups.
class ParameterGroups {
  public:
    /// Throws ParameterGroupError (DuplicateName, NameInBothGroups), or ParameterNameError.
    ParameterGroups(std::vector<std::string> decay, std::vector<std::string> no_decay);

    /// The same, for a model whose parameters are `known`: throws ParameterGroupError (UnknownName,
    /// UnassignedName) too, and DuplicateName for a name twice in `known`.
    static ParameterGroups covering(const std::vector<std::string>& known,
                                    std::vector<std::string> decay,
                                    std::vector<std::string> no_decay);

    const std::vector<std::string>& decay() const { return decay_; }
    const std::vector<std::string>& no_decay() const { return no_decay_; }

  private:
    std::vector<std::string> decay_;
    std::vector<std::string> no_decay_;
};

/// A name stands twice in the same group: "decay", "no-decay", or the "model" itself.
struct DuplicateName {
    std::string name;
    std::string group;

    bool operator==(const DuplicateName&) const = default;
};

struct NameInBothGroups {
    std::string name;

    bool operator==(const NameInBothGroups&) const = default;
};

/// A group names a parameter that the model does not have.
struct UnknownName {
    std::string name;
    std::string group;

    bool operator==(const UnknownName&) const = default;
};

/// A parameter of the model stands in no group.
struct UnassignedName {
    std::string name;

    bool operator==(const UnassignedName&) const = default;
};

class ParameterGroupError
    : public numeric::TypedError<DuplicateName, NameInBothGroups, UnknownName, UnassignedName> {
  public:
    explicit ParameterGroupError(Case rejection);
};

}  // namespace rmsnorm::nn
