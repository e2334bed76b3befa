// The JSON Schema (draft 2020-12) of the documents that the program writes.
#pragma once

#include <string>
#include <vector>

#include "report/document.hpp"

namespace rmsnorm::report {

/// A document fits the schema when it has the keys and kinds of the sample with its `fixture` or
/// `experiment`. One sample a fixture or experiment.
std::string schema(const std::vector<Document>& samples);

}  // namespace rmsnorm::report
