// The declared inputs of an experiment, from the options and cases of a command line.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/json.hpp"
#include "cli/option.hpp"
#include "evidence/experiment.hpp"

namespace rmsnorm::cli {

/// Whether the command line can give it.
bool has_option(const evidence::Input& input);

/// An option for each declared input, `--case` where there is an input, and `--max-elements` where
/// one holds values that set no limit of their own.
std::vector<Option> input_options(const std::vector<evidence::Input>& inputs);

/// The inputs of an experiment, which of them were given, and by what name messages call them.
struct NamedInputs {
    std::vector<evidence::Input> inputs;
    std::vector<std::string> origins;

    /// Throws the InputError that names the inputs that are to blame.
    [[noreturn]] void refuse(const evidence::InputRejection& rejection) const;

    /// Runs what a rejection or a layer's refusal may end, and throws the InputError for it.
    void explain(const std::function<void()>& run) const;
};

/// Reads what was given into the experiment: an option before the case, the case before the
/// default. Standard input is named once at most. Throws InputError and IoError.
NamedInputs read_inputs(evidence::Experiment& experiment, const std::vector<Option>& options);

/// The same, with one input and the rules between inputs left to the caller.
NamedInputs read_some_inputs(evidence::Experiment& experiment, const std::vector<Option>& options,
                             std::string_view left_out);

/// What `--max-elements` says.
std::size_t max_elements(const std::vector<Option>& options);

/// The inputs that the document in a file holds, in `object`. Throws InputError.
NamedInputs read_inputs(evidence::Experiment& experiment, const JsonNode& object,
                        const std::string& file);

}  // namespace rmsnorm::cli
