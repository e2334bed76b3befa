// The fixture exhibit-rmsnorm: one eight-feature vector under three transformations and both norms,
// with the model's graph and the claims that the figures bear out.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "experiments/exhibit/claims.hpp"
#include "experiments/exhibit/comparison.hpp"
#include "experiments/exhibit/graph.hpp"
#include "experiments/exhibit/seeded_forward.hpp"

namespace rmsnorm::experiments {

struct ExhibitCase {
    std::string id;
    std::string label;
    std::string note;
    Comparison comparison;
};

struct Exhibit {
    double epsilon;
    std::vector<ExhibitCase> cases;
    std::vector<Claim> claims;
    SeededForward seeded;
    Graph graph;
    std::vector<Step> steps;
    std::vector<Check> checks;  // of the claims, the comparisons, the graph and a replay
};

Exhibit exhibit();

/// What is compared in a replay: the figures of the cases, the claims and the seeded forward.
Record results(const Exhibit& evidence);

/// Measures how many inconsistencies there are.
Check graph_check(const std::vector<Inconsistency>& found);

}  // namespace rmsnorm::experiments
