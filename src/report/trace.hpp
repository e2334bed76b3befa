// Evidence as trace lines: KIND|key=value|…, for programs that read one line at a time.
#pragma once

#include <string>

#include "experiments/rmsnorm/chapter.hpp"

namespace rmsnorm::report {

std::string trace(const experiments::Chapter& evidence);

}  // namespace rmsnorm::report
