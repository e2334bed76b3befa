// One document of evidence, whatever the experiment: what the JSON, its schema and the page share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/certificate.hpp"
#include "evidence/check.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::report {

/// A fixture's document holds its results and no more; an experiment's says which inputs it used
/// and which checks it ran on them.
enum class DocumentKind { fixture, experiment };

struct Document {
    DocumentKind kind;
    std::string id;  // "25-rmsnorm", "forward"
    evidence::Record inputs;
    evidence::Record results;
    std::vector<evidence::Check> checks;
    /// What the figures of the results are worth, where that was asked.
    std::optional<evidence::Certification> certification = {};
};

}  // namespace rmsnorm::report
