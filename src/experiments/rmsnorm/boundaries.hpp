// Experiment: requests that the layer must reject, each made for real.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "evidence/record.hpp"
#include "nn/rms_norm.hpp"

namespace rmsnorm::experiments {

/// The requests are fixed.
struct NoInputs {
    std::vector<Input> declared() { return {}; }
};

struct Boundary {
    std::string name;     // "rank-zero"
    bool rejected;        // with the error that the case expects
    std::string error;    // the typed error's name; empty when nothing was thrown
    std::string message;  // empty when nothing was thrown
};

struct Boundaries {
    std::vector<Boundary> cases;
    std::vector<Check> checks;
};

/// The verdict on a request that threw `error`, or nothing when that is null. It must be rejected
/// by the case of this name, and a TapeFailure at the stage of this name.
Boundary boundary(std::string name, const nn::RmsNormError* error, std::string_view expected_error,
                  std::string_view expected_stage = {});

/// Measures 0 when the boundary was rejected, else 1.
Check rejection_check(const Boundary& boundary);

/// The chapter's three: a rank-zero input, a width mismatch, zero energy with epsilon zero.
Boundaries boundaries();

/// Those and a request for every other rejection of the layer: each case of nn::RmsNormError, and
/// each step that can overflow.
Boundaries every_boundary(const NoInputs& inputs = {});

Record results(const Boundaries& evidence);
std::string text(const Boundaries& evidence, Extent extent);

/// The array `boundaries` of a report.
Array boundaries_array(const Boundaries& evidence);

}  // namespace rmsnorm::experiments
