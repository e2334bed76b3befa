// What the schema needs of `judge`, which is no experiment.
#pragma once

#include "report/document.hpp"

namespace rmsnorm::cli {

/// A verdict's document with every field that one may have.
report::Document judge_sample();

}  // namespace rmsnorm::cli
