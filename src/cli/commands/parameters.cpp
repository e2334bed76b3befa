// rmsnorm-fixture parameters: the gain's optimizer group.
#include "evidence/parameters.hpp"

#include <memory>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "evidence/chapter_values.hpp"
#include "evidence/replay.hpp"
#include "nn/parameter.hpp"

namespace rmsnorm::cli {
namespace {

struct Request {
    std::string gain_name = evidence::chapter_values::gain_name;
    std::vector<std::string> decay;
    std::vector<std::string> no_decay;
};

std::string valid_name(const char* option, const std::string& name) {
    try {
        nn::validate_parameter_name(name);
    } catch (const nn::ParameterNameError& error) {
        throw InputError(std::string(option) + ": " + error.what());
    }
    return name;
}

// The model of this experiment has one parameter.
void require_gain(const char* option, const std::vector<std::string>& names,
                  const std::string& gain_name) {
    for (const std::string& name : names) {
        if (name == gain_name) continue;
        throw InputError(std::string(option) + ": found " + quoted(name) +
                         ", no parameter of the model; accepted: its one parameter, " +
                         quoted(gain_name) + " (--gain-name names it)");
    }
    if (names.size() > 1) {
        throw InputError(std::string(option) + ": found " + quoted(gain_name) +
                         " twice in the group; accepted: once");
    }
}

evidence::Parameters parameters(const Request& request) {
    require_gain("--decay", request.decay, request.gain_name);
    require_gain("--no-decay", request.no_decay, request.gain_name);
    if (!request.decay.empty() && !request.no_decay.empty()) {
        throw InputError("--decay, --no-decay: found " + quoted(request.gain_name) +
                         ", which must not stand in both groups; accepted: one of the two");
    }
    std::vector<std::string> no_decay = request.no_decay;
    if (no_decay.empty() && request.decay.empty()) no_decay = {request.gain_name};
    return evidence::replayed(
        [&] { return evidence::parameters(request.gain_name, request.decay, no_decay); });
}

}  // namespace

Invocation prepare_parameters() {
    const auto request = std::make_shared<Request>();
    std::vector<Option> options{
        {.names = "--gain-name",
         .value_name = "NAME",
         .help = "the name of the model's one parameter",
         .default_text = request->gain_name,
         .accept =
             [request](const std::string& name) {
                 request->gain_name = valid_name("--gain-name", name);
             }},
        {.names = "--decay",
         .value_name = "NAME",
         .help = "a parameter whose weights decay",
         .default_text = "none",
         .accept =
             [request](const std::string& name) {
                 request->decay.push_back(valid_name("--decay", name));
             },
         .repeatable = true},
        {.names = "--no-decay",
         .value_name = "NAME",
         .help = "a parameter whose weights do not decay",
         .default_text = "the gain, unless a group is given",
         .accept =
             [request](const std::string& name) {
                 request->no_decay.push_back(valid_name("--no-decay", name));
             },
         .repeatable = true}};
    return experiment(std::move(options), [request](report::Extent extent) {
        return present("parameters", parameters(*request), extent);
    });
}

}  // namespace rmsnorm::cli
