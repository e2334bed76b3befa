// The layer graph of the exhibit's model, and the steps that lead a reader through it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rmsnorm::experiments {

struct Layer {
    std::string id;
    std::string label;
    std::string op;
    std::string kind;    // input, layer, module, output
    std::string parent;  // the id of the module that holds it; empty at the top
    std::vector<std::pair<std::string, std::variant<std::string, std::uint64_t, double>>> params;
    std::string statement;  // its line of model.py, without indent; empty where it has none
};

struct Connection {
    std::string source;  // layer ids
    std::string target;
};

struct Graph {
    std::vector<Layer> layers;
    std::vector<Connection> connections;
};

struct Step {
    std::string id;
    std::string target;  // a layer id
    std::string title;
    std::string note;
};

Graph graph(double epsilon);
std::vector<Step> steps();

/// The line, from 1, that holds `statement` and nothing else but an indent; nothing when no line
/// or more than one does.
std::optional<std::size_t> line_of(std::string_view statement, std::string_view source);

enum class Fault {
    duplicate_id,    // two layers with one id
    unknown_end,     // a connection's source or target is no layer
    cycle,           // a layer reaches itself along connections
    unknown_parent,  // a layer's parent is no layer
    unfit_parent,    // a layer's parent is not a module
    parent_cycle,    // a layer is inside of itself
    unknown_target,  // a step's target is no layer
    no_source_line,  // a layer's statement is not one line of the source
};

struct Inconsistency {
    Fault fault;
    std::string at;     // the layer, step or connection ("a -> b")
    std::string names;  // what is wrong there: an id, a statement
};

/// Everything that is wrong with a graph, its steps and its statements.
std::vector<Inconsistency> inconsistencies(const Graph& graph, const std::vector<Step>& steps,
                                           std::string_view source);

}  // namespace rmsnorm::experiments
