// A fixture as an ordered list: what each of its experiments has found, and the proof of it all.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/experiment.hpp"

namespace rmsnorm::evidence {

/// What one experiment adds to a fixture's reports.
struct Part {
    std::string experiment;
    Record results;
    std::string text;
    std::vector<Check> checks;
    Reference exact;
};

template <class Evidence>
Part part(std::string_view experiment, Evidence evidence) {
    Part made{std::string(experiment),
              results_of(evidence),
              text_of(evidence, Extent::full),
              evidence.checks,
              {}};
    made.exact = [evidence = std::move(evidence)](int bits) {
        return exact_figures(evidence, bits);
    };
    return made;
}

struct Proof {
    bool replay_bitwise;
    std::vector<Check> checks;  // of every part, each name led by the experiment's; then the replay
};

/// Of two runs from scratch.
Proof proof_of(const std::vector<Part>& parts, const std::vector<Part>& again);

/// All fields, all exact results, and all lines, in order.
Record joined_results(const std::vector<Part>& parts);
ExactFigures joined_exact(const std::vector<Part>& parts, int bits);
std::string joined_text(const std::vector<Part>& parts);

}  // namespace rmsnorm::evidence
