// The optimizer's weight-decay groups: which named parameters decay, and which do not.
#pragma once

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

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
};

struct NameInBothGroups {
    std::string name;
};

/// A group names a parameter that the model does not have.
struct UnknownName {
    std::string name;
    std::string group;
};

/// A parameter of the model stands in no group.
struct UnassignedName {
    std::string name;
};

class ParameterGroupError : public std::runtime_error {
  public:
    using Case = std::variant<DuplicateName, NameInBothGroups, UnknownName, UnassignedName>;

    explicit ParameterGroupError(Case rejection);

    const Case& rejection() const { return rejection_; }

  private:
    Case rejection_;
};

}  // namespace rmsnorm::nn
