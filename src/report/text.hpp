// Evidence as the lines of the text report.
#pragma once

#include <string>

#include "evidence/chapter.hpp"
#include "evidence/sweep.hpp"
#include "report/figures.hpp"

namespace rmsnorm::report {

/// The whole report of the fixture 25-rmsnorm.
std::string text(const evidence::Chapter& evidence);

/// One experiment's lines, for any values.
std::string text(const evidence::Forward& evidence, Extent extent);
std::string text(const evidence::Backward& evidence, Extent extent);
std::string text(const evidence::Scale& evidence, Extent extent);
std::string text(const evidence::Sweep& evidence, Extent extent);
std::string text(const evidence::Zero& evidence, Extent extent);
std::string text(const evidence::Batch& evidence, Extent extent);
std::string text(const evidence::History& evidence, Extent extent);
std::string text(const evidence::Boundaries& evidence, Extent extent);
std::string text(const evidence::GradientChecks& evidence, Extent extent);
std::string text(const evidence::Parameters& evidence, Extent extent);
std::string text(const evidence::Replay& evidence, Extent extent);

/// One line a check, which no report shows unasked.
std::string text(const std::vector<evidence::Check>& checks);

}  // namespace rmsnorm::report
