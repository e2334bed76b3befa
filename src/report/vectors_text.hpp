// What results on test vectors tell, as lines of text.
#pragma once

#include <string>

#include "judge/vectors/check.hpp"

namespace rmsnorm::report {

/// A line for the set, one for each failed test, and the mistakes that all of them fit.
std::string text(const judge::vectors::Checked& checked, const judge::vectors::VectorSet& set);

}  // namespace rmsnorm::report
