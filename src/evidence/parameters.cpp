#include "evidence/parameters.hpp"

#include <algorithm>

#include "evidence/chapter_values.hpp"
#include "nn/parameter_groups.hpp"

namespace rmsnorm::evidence {
namespace {

Array names(const std::vector<std::string>& list) {
    Array items;
    for (const std::string& name : list) items.items.push_back(name);
    return items;
}

}  // namespace

Parameters parameters(const std::string& gain_name, const std::vector<std::string>& decay,
                      const std::vector<std::string>& no_decay) {
    LayerCase layer_case = chapter_values::layer_case();
    layer_case.gain_name = gain_name;
    const nn::RmsNorm norm = layer(layer_case);
    const auto groups = nn::ParameterGroups::covering({gain_name}, decay, no_decay);
    Parameters evidence{norm.epsilon(),
                        norm.feature_width(),
                        gain_name,
                        groups.decay(),
                        groups.no_decay(),
                        false,
                        {}};
    evidence.gain_in_no_decay =
        groups.decay().empty() && groups.no_decay() == std::vector<std::string>{gain_name};
    evidence.checks.push_back(one_group(gain_name, groups.decay(), groups.no_decay()));
    return evidence;
}

Check one_group(const std::string& name, const std::vector<std::string>& decay,
                const std::vector<std::string>& no_decay) {
    const auto places = std::count(decay.begin(), decay.end(), name) +
                        std::count(no_decay.begin(), no_decay.end(), name);
    return at_most("one-group", "the gain stands in exactly one group", places == 1 ? 0 : 1, 0);
}

Record inputs(const Parameters& evidence) {
    return Record()
        .add("gain_name", evidence.gain_name)
        .add("decay", names(evidence.decay))
        .add("no_decay", names(evidence.no_decay));
}

Record results(const Parameters& evidence) {
    return Record().add("config", config_record(evidence));
}

Record config_record(const Parameters& evidence) {
    return Record()
        .add("epsilon", setting(evidence.epsilon))
        .add("feature_width", evidence.feature_width)
        .add("gain_name", evidence.gain_name)
        .add("no_decay", evidence.gain_in_no_decay);
}

}  // namespace rmsnorm::evidence
