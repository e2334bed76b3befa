// Experiment: the gain's stable name, and the optimizer group in which it stands.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "evidence/record.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"

namespace rmsnorm::experiments {

struct ParametersInputs {
    std::string gain_name = chapter_values::gain_name;
    std::vector<std::string> decay = {};
    std::vector<std::string> no_decay = {gain_name};

    std::vector<Input> declared();
    void complete(const Given& given);
};

struct Parameters {
    double epsilon;
    std::size_t feature_width;
    std::string gain_name;
    std::vector<std::string> decay;
    std::vector<std::string> no_decay;
    bool gain_in_no_decay;  // there and nowhere else
    std::vector<Check> checks;
};

/// Groups for a model whose one parameter is the chapter's gain under the given name. Throws
/// nn::ParameterGroupError or nn::ParameterNameError.
Parameters parameters(const ParametersInputs& inputs);

/// Measures 0 when `name` stands once in the two groups together, else 1.
Check one_group(const std::string& name, const std::vector<std::string>& decay,
                const std::vector<std::string>& no_decay);

Record results(const Parameters& evidence);
std::string text(const Parameters& evidence, Extent extent);

/// The object `config` of a report.
std::string config_line(const Parameters& evidence);
Record config_record(const Parameters& evidence);

}  // namespace rmsnorm::experiments
