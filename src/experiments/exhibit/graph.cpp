#include "experiments/exhibit/graph.hpp"

#include <algorithm>
#include <set>

namespace rmsnorm::experiments {
namespace {

const Layer* find(const Graph& graph, std::string_view id) {
    const auto found = std::find_if(graph.layers.begin(), graph.layers.end(),
                                    [&](const Layer& layer) { return layer.id == id; });
    return found == graph.layers.end() ? nullptr : &*found;
}

// Whether connections lead from `from` to `to`, in one step or more.
bool reaches(const Graph& graph, const std::string& from, const std::string& to) {
    std::set<std::string> seen;
    std::vector<std::string> open{from};
    while (!open.empty()) {
        const std::string at = open.back();
        open.pop_back();
        for (const Connection& connection : graph.connections) {
            if (connection.source != at) continue;
            if (connection.target == to) return true;
            if (seen.insert(connection.target).second) open.push_back(connection.target);
        }
    }
    return false;
}

bool inside_itself(const Graph& graph, const Layer& layer) {
    const Layer* at = &layer;
    // A chain of parents longer than the list of layers goes round.
    for (std::size_t i = 0; i <= graph.layers.size(); ++i) {
        at = at->parent.empty() ? nullptr : find(graph, at->parent);
        if (at == nullptr) return false;
        if (at->id == layer.id) return true;
    }
    return false;
}

}  // namespace

Graph graph(double epsilon) {
    const std::string stack = "stack@NormalizationComparison#0";
    const std::string divide = "div@rms_norm#0";
    const std::string multiply = "mul@rms_norm#0";
    const std::string measure = "python@rms_norm.rms#0";
    Graph graph;
    graph.layers = {
        {"input", "Input", "Input", "input", "", {{"shape", "1,4,8"}}, ""},
        {"layer_norm",
         "LayerNorm",
         "LayerNorm",
         "layer",
         "",
         {{"normalized_shape", std::uint64_t{8}}, {"eps", epsilon}},
         "self.layer_norm = nn.LayerNorm(features, eps=eps)"},
        {"rms_norm",
         "RMSNorm",
         "Module",
         "module",
         "",
         {},
         "self.rms_norm = RMSNorm(features, eps)"},
        {stack,
         "Put both outputs side by side",
         "torch.stack",
         "layer",
         "",
         {},
         "return torch.stack((centered, rescaled))"},
        {"output", "Output", "Output", "output", "", {}, ""},
        {"rms_norm.rms",
         "Root mean square",
         "Module",
         "module",
         "rms_norm",
         {},
         "self.rms = RootMeanSquare(eps)"},
        {divide,
         "Quotient by the root mean square",
         "torch.div",
         "layer",
         "rms_norm",
         {},
         "unit = torch.div(x, self.rms(x))"},
        {"rms_norm.gain",
         "Gain",
         "Parameter",
         "layer",
         "rms_norm",
         {},
         "self.gain = nn.Parameter(torch.ones(features))"},
        {multiply,
         "Product with the gain",
         "torch.mul",
         "layer",
         "rms_norm",
         {},
         "return torch.mul(unit, self.gain)"},
        {measure,
         "Square, average, add epsilon, take the root",
         "Python",
         "layer",
         "rms_norm.rms",
         {},
         "return torch.sqrt((x * x).mean(dim=-1, keepdim=True) + self.eps)"},
    };
    graph.connections = {
        {measure, divide},           {"rms_norm.rms", divide}, {divide, multiply},
        {"rms_norm.gain", multiply}, {"input", "layer_norm"},  {"input", measure},
        {"input", divide},           {"input", "rms_norm"},    {"layer_norm", stack},
        {multiply, stack},           {"rms_norm", stack},      {stack, "output"},
    };
    return graph;
}

std::vector<Step> steps() {
    return {
        {"input", "input", "Four tokens go both ways",
         "The input has shape [1, 4, 8]: four tokens of eight features. Each norm takes every "
         "token by itself, along its features."},
        {"center", "layer_norm", "LayerNorm moves the mean to zero",
         "It takes the mean of a token's features away from each of them, then divides by the "
         "root of their variance plus epsilon. A new layer has gains of 1 and biases of 0."},
        {"rms", "python@rms_norm.rms#0", "RMSNorm only asks how long the token is",
         "Square the features, average, add epsilon, take the root. No mean is subtracted "
         "anywhere, so an offset stays visible in what follows."},
        {"gain", "mul@rms_norm#0", "The gain has the last word",
         "The quotient has a root mean square of nearly 1. Eight learned gains then weigh its "
         "features; here they are 1, and the vectors below show the norms alone."},
    };
}

std::optional<std::size_t> line_of(std::string_view statement, std::string_view source) {
    std::optional<std::size_t> found;
    for (std::size_t number = 1; !source.empty(); ++number) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        std::string_view line = source.substr(0, end);
        source.remove_prefix(std::min(end + 1, source.size()));
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line != statement) continue;
        if (found) return std::nullopt;
        found = number;
    }
    return found;
}

std::vector<Inconsistency> inconsistencies(const Graph& graph, const std::vector<Step>& steps,
                                           std::string_view source) {
    std::vector<Inconsistency> all;
    std::set<std::string> ids;
    for (const Layer& layer : graph.layers) {
        if (!ids.insert(layer.id).second) all.push_back({Fault::duplicate_id, layer.id, layer.id});
        if (!layer.parent.empty()) {
            const Layer* parent = find(graph, layer.parent);
            if (parent == nullptr) {
                all.push_back({Fault::unknown_parent, layer.id, layer.parent});
            } else if (parent->kind != "module") {
                all.push_back({Fault::unfit_parent, layer.id, layer.parent});
            }
            if (inside_itself(graph, layer)) {
                all.push_back({Fault::parent_cycle, layer.id, layer.parent});
            }
        }
        if (reaches(graph, layer.id, layer.id)) {
            all.push_back({Fault::cycle, layer.id, layer.id});
        }
        if (!layer.statement.empty() && !line_of(layer.statement, source)) {
            all.push_back({Fault::no_source_line, layer.id, layer.statement});
        }
    }
    for (const Connection& connection : graph.connections) {
        for (const std::string& end : {connection.source, connection.target}) {
            if (!ids.contains(end)) {
                all.push_back(
                    {Fault::unknown_end, connection.source + " -> " + connection.target, end});
            }
        }
    }
    for (const Step& step : steps) {
        if (!ids.contains(step.target)) {
            all.push_back({Fault::unknown_target, step.id, step.target});
        }
    }
    return all;
}

}  // namespace rmsnorm::experiments
