// One document of evidence, whatever the experiment: what the JSON, its schema and the page share.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
};

}  // namespace rmsnorm::report
