// A verdict in at most fifteen lines, and a few for each gradient; the first says it all, for a CI
// job's log.
#pragma once

#include <optional>
#include <string>

#include "judge/gradient_record.hpp"
#include "judge/verdict.hpp"

namespace rmsnorm::report {

std::string text(const judge::Verdict& verdict, const judge::Tensors& tensors,
                 const std::optional<judge::Probe>& probe, const judge::JudgedGradients& gradients);

}  // namespace rmsnorm::report
