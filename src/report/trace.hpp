// Evidence as trace lines: KIND|key=value|…, for programs that read one line at a time.
#pragma once

#include <string>

#include "evidence/chapter.hpp"

namespace rmsnorm::report {

std::string trace(const evidence::Chapter& evidence);

}  // namespace rmsnorm::report
