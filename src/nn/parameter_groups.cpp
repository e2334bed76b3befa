#include "nn/parameter_groups.hpp"

#include <algorithm>
#include <utility>

#include "nn/parameter.hpp"

namespace rmsnorm::nn {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void require_distinct(const std::vector<std::string>& names, const char* group) {
    for (const std::string& name : names) {
        if (std::count(names.begin(), names.end(), name) > 1) {
            throw ParameterGroupError(DuplicateName{name, group});
        }
    }
}

void validate_group(const std::vector<std::string>& names, const char* group) {
    for (const std::string& name : names) validate_parameter_name(name);
    require_distinct(names, group);
}

void require_known(const std::vector<std::string>& known, const std::vector<std::string>& names,
                   const char* group) {
    for (const std::string& name : names) {
        if (!contains(known, name)) throw ParameterGroupError(UnknownName{name, group});
    }
}

std::string message(const DuplicateName& e) {
    return "parameter " + e.name + " stands twice in the " + e.group +
           (e.group == "model" ? "" : " group");
}

std::string message(const NameInBothGroups& e) {
    return "parameter " + e.name + " must stand in one of decay and no-decay, not in both";
}

std::string message(const UnknownName& e) {
    return "the " + e.group + " group names " + e.name + ", which is no parameter of the model";
}

std::string message(const UnassignedName& e) {
    return "parameter " + e.name + " must stand in one of decay and no-decay, not in neither";
}

}  // namespace

ParameterGroups::ParameterGroups(std::vector<std::string> decay, std::vector<std::string> no_decay)
    : decay_(std::move(decay)), no_decay_(std::move(no_decay)) {
    validate_group(decay_, "decay");
    validate_group(no_decay_, "no-decay");
    for (const std::string& name : decay_) {
        if (contains(no_decay_, name)) throw ParameterGroupError(NameInBothGroups{name});
    }
}

ParameterGroups ParameterGroups::covering(const std::vector<std::string>& known,
                                          std::vector<std::string> decay,
                                          std::vector<std::string> no_decay) {
    ParameterGroups groups(std::move(decay), std::move(no_decay));
    require_distinct(known, "model");
    require_known(known, groups.decay_, "decay");
    require_known(known, groups.no_decay_, "no-decay");
    for (const std::string& name : known) {
        if (!contains(groups.decay_, name) && !contains(groups.no_decay_, name)) {
            throw ParameterGroupError(UnassignedName{name});
        }
    }
    return groups;
}

ParameterGroupError::ParameterGroupError(Case rejection)
    : TypedError(std::move(rejection), [](const auto& e) { return message(e); }) {}

}  // namespace rmsnorm::nn
