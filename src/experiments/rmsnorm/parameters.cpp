#include "experiments/rmsnorm/parameters.hpp"

#include <algorithm>

#include "experiments/rmsnorm/chapter_values.hpp"
#include "nn/parameter.hpp"
#include "nn/parameter_groups.hpp"

namespace rmsnorm::experiments {
namespace {

// Names joined by commas, "none" for no name.
std::string names_text(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text.empty() ? "none" : text;
}

void require_name(const char* key, const std::string& name) {
    try {
        nn::validate_parameter_name(name);
    } catch (const nn::ParameterNameError& error) {
        throw InputRejection({key}, error.what(), "");
    }
}

// The model of this experiment has one parameter.
void require_gain(const char* key, const std::vector<std::string>& names,
                  const std::string& gain_name) {
    for (const std::string& name : names) {
        require_name(key, name);
        if (name == gain_name) continue;
        throw InputRejection({key}, "found \"" + name + "\", no parameter of the model",
                             "its one parameter, \"" + gain_name + "\" (--gain-name names it)");
    }
    if (names.size() > 1) {
        throw InputRejection({key}, "found \"" + gain_name + "\" twice in the group", "once");
    }
}

}  // namespace

std::vector<Input> ParametersInputs::declared() {
    return {{"gain_name", &gain_name, "the name of the model's one parameter"},
            {"decay", &decay, "a parameter whose weights decay", {.shown_default = "none"}},
            {"no_decay",
             &no_decay,
             "a parameter whose weights do not decay",
             {.shown_default = "the gain, unless a group is given"}}};
}

void ParametersInputs::complete(const Given& given) {
    require_name("gain_name", gain_name);
    if (!given("no_decay")) no_decay.clear();
    require_gain("decay", decay, gain_name);
    require_gain("no_decay", no_decay, gain_name);
    if (!decay.empty() && !no_decay.empty()) {
        throw InputRejection({"decay", "no_decay"},
                             "found \"" + gain_name + "\", which must not stand in both groups",
                             "one of the two");
    }
    if (decay.empty() && no_decay.empty()) no_decay = {gain_name};
}

Parameters parameters(const ParametersInputs& inputs) {
    const auto& [gain_name, decay, no_decay] = inputs;
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

Record results(const Parameters& evidence) {
    return Record().add("config", config_record(evidence));
}

Record config_record(const Parameters& evidence) {
    return Record()
        .add("epsilon", exact_scalar(evidence.epsilon))
        .add("feature_width", evidence.feature_width)
        .add("gain_name", evidence.gain_name)
        .add("no_decay", evidence.gain_in_no_decay);
}

std::string text(const Parameters& e, Extent) {
    return config_line(e) + Lines()
                                .line("groups")
                                .part("decay", names_text(e.decay))
                                .part("no_decay", names_text(e.no_decay))
                                .str();
}

std::string config_line(const Parameters& e) {
    return Lines()
        .line("config")
        .part("epsilon", exact_scalar(e.epsilon))
        .part("feature_width", std::to_string(e.feature_width))
        .part("gain_name", e.gain_name)
        .part("no_decay", truth_text(e.gain_in_no_decay))
        .str();
}

}  // namespace rmsnorm::experiments
