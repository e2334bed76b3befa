// Experiment: the gain's stable name, and the optimizer group in which it stands.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::evidence {

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
Parameters parameters(const std::string& gain_name, const std::vector<std::string>& decay,
                      const std::vector<std::string>& no_decay);

/// Measures 0 when `name` stands once in the two groups together, else 1.
Check one_group(const std::string& name, const std::vector<std::string>& decay,
                const std::vector<std::string>& no_decay);

Record inputs(const Parameters& evidence);
Record results(const Parameters& evidence);

/// The object `config` of a report.
Record config_record(const Parameters& evidence);

}  // namespace rmsnorm::evidence
