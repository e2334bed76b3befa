// A layer graph as a drawing: layers in rows, each below what feeds it.
#pragma once

#include <string>

#include "experiments/exhibit/graph.hpp"

namespace rmsnorm::pages {

/// The row of each layer, in the graph's order: one below the lowest layer that feeds it. A layer
/// that nothing feeds stands just above the first that it feeds. The graph has no cycle.
std::vector<std::size_t> rows_of(const experiments::Graph& graph);

std::string graph_drawing(const experiments::Graph& graph);

}  // namespace rmsnorm::pages
