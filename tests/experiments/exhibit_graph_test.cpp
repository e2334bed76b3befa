#include <doctest/doctest.h>

#include <algorithm>

#include "experiments/exhibit/bundled.hpp"
#include "experiments/exhibit/exhibit.hpp"
#include "experiments/exhibit/graph.hpp"

using namespace rmsnorm::evidence;
using namespace rmsnorm::experiments;
using namespace rmsnorm::experiments;
using namespace rmsnorm::experiments;

namespace {

// The only fault of the exhibit's graph after `change`; the test ends when there is none.
template <class Change>
Inconsistency fault_after(Change change) {
    Graph changed = graph(1e-6);
    std::vector<Step> told = steps();
    change(changed, told);
    const auto found = inconsistencies(changed, told, model_py());
    REQUIRE(!found.empty());
    CHECK(std::all_of(found.begin(), found.end(),
                      [&](const Inconsistency& one) { return one.fault == found.front().fault; }));
    CHECK_FALSE(graph_check(found).passed);
    return found.front();
}

Layer& layer(Graph& graph, std::string_view id) {
    return *std::find_if(graph.layers.begin(), graph.layers.end(),
                         [&](const Layer& one) { return one.id == id; });
}

}  // namespace

TEST_CASE("the exhibit's graph has ten layers, twelve connections and no fault") {
    CHECK(graph(1e-6).layers.size() == 10);
    CHECK(graph(1e-6).connections.size() == 12);
    CHECK(inconsistencies(graph(1e-6), steps(), model_py()).empty());
    CHECK(graph_check({}).passed);
}

TEST_CASE("a connection to nowhere is found at either end") {
    auto found = fault_after([](Graph& g, auto&) { g.connections[0].target = "nowhere"; });
    CHECK(found.fault == Fault::unknown_end);
    CHECK(found.names == "nowhere");
    found = fault_after([](Graph& g, auto&) { g.connections[11].source = "nothing"; });
    CHECK(found.fault == Fault::unknown_end);
    CHECK(found.at == "nothing -> output");
}

TEST_CASE("a cycle is found, of one connection and of several") {
    auto found = fault_after([](Graph& g, auto&) { g.connections.push_back({"output", "input"}); });
    CHECK(found.fault == Fault::cycle);
    found = fault_after([](Graph& g, auto&) { g.connections.push_back({"output", "output"}); });
    CHECK(found.fault == Fault::cycle);
    CHECK(found.at == "output");
}

TEST_CASE("a parent that is missing, no module, or inside of its child is found") {
    auto found =
        fault_after([](Graph& g, auto&) { layer(g, "rms_norm.gain").parent = "rms_nrom"; });
    CHECK(found.fault == Fault::unknown_parent);
    CHECK(found.names == "rms_nrom");
    found = fault_after([](Graph& g, auto&) { layer(g, "rms_norm.gain").parent = "layer_norm"; });
    CHECK(found.fault == Fault::unfit_parent);
    found = fault_after([](Graph& g, auto&) { layer(g, "rms_norm").parent = "rms_norm.rms"; });
    CHECK(found.fault == Fault::parent_cycle);
}

TEST_CASE("an id that two layers have is found") {
    const auto found = fault_after([](Graph& g, auto&) {
        Layer twin = layer(g, "rms_norm.gain");
        g.layers.push_back(twin);
    });
    CHECK(found.fault == Fault::duplicate_id);
    CHECK(found.at == "rms_norm.gain");
}

TEST_CASE("a step to a layer that does not exist is found") {
    const auto found = fault_after([](Graph&, std::vector<Step>& told) { told[1].target = "ln"; });
    CHECK(found.fault == Fault::unknown_target);
    CHECK(found.at == "center");
    CHECK(found.names == "ln");
}

TEST_CASE("a statement that the model does not have is found") {
    const auto found = fault_after(
        [](Graph& g, auto&) { layer(g, "rms_norm").statement = "self.rms_norm = RMSNorm()"; });
    CHECK(found.fault == Fault::no_source_line);
}

TEST_CASE("a line is found by its whole statement and only when it stands alone") {
    CHECK(line_of("b = 2", "a = 1\n  b = 2\n") == 2);
    CHECK(line_of("b = 2", "a = 1\nb = 2") == 2);
    CHECK_FALSE(line_of("b = 2", "a = 1\nb = 23\n"));
    CHECK_FALSE(line_of("b = 2", "b = 2\nb = 2\n"));
    CHECK_FALSE(line_of("b = 2", ""));
}

TEST_CASE("the layers' lines of the model are these") {
    // Counted in fixtures/exhibit-rmsnorm/model.py.
    const std::pair<const char*, std::size_t> lines[] = {{"layer_norm", 36},
                                                         {"rms_norm", 37},
                                                         {"stack@NormalizationComparison#0", 42},
                                                         {"rms_norm.rms", 23},
                                                         {"div@rms_norm#0", 27},
                                                         {"rms_norm.gain", 24},
                                                         {"mul@rms_norm#0", 28},
                                                         {"python@rms_norm.rms#0", 15}};
    Graph own = graph(1e-6);
    for (const auto& expected : lines) {
        CAPTURE(expected.first);
        CHECK(line_of(layer(own, expected.first).statement, model_py()) == expected.second);
    }
}
