// Evidence as trace lines: KIND|key=value|…, for programs that read one line at a time.
#pragma once

#include <string>

#include "evidence/certificate.hpp"
#include "experiments/rmsnorm/chapter.hpp"

namespace rmsnorm::report {

std::string trace(const experiments::Chapter& evidence);
std::string trace(const evidence::Certification& certification);

}  // namespace rmsnorm::report
