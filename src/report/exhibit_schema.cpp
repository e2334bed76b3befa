#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/exhibit.hpp"

namespace rmsnorm::report {
namespace {

using Json = nlohmann::ordered_json;

Json text() { return {{"type", "string"}, {"minLength", 1}}; }
Json pattern(const std::string& expression) {
    return {{"type", "string"}, {"pattern", expression}};
}
Json constant(Json value) { return {{"const", std::move(value)}}; }
Json number() { return {{"type", "number"}}; }
Json whole(int least) { return {{"type", "integer"}, {"minimum", least}}; }
Json truth() { return {{"type", "boolean"}}; }
Json null() { return {{"type", "null"}}; }

Json list(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json list_of(int count, Json items) {
    return {
        {"type", "array"}, {"items", std::move(items)}, {"minItems", count}, {"maxItems", count}};
}

struct Property {
    const char* key;
    Json schema;
    bool required = true;
};

Json object(const std::vector<Property>& all) {
    Json properties = Json::object();
    Json required = Json::array();
    for (const Property& property : all) {
        properties[property.key] = property.schema;
        if (property.required) required.push_back(property.key);
    }
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
}

Json shaped(const Json& shape, int count) {
    return object({{"shape", constant(shape)},
                   {"dtype", constant("float32")},
                   {"values", list_of(count, number())}});
}

Json provenance() {
    const Json input_shape = {1, 4, 8};
    const Json output_shape = {2, 1, 4, 8};
    const Json argument = object({{"shape", constant(input_shape)},
                                  {"dtype", constant("float32")},
                                  {"fill", constant("randn")}});
    const Json execution = object({{"inputs", object({{"args", list_of(1, argument)}})},
                                   {"device", constant("cpu")},
                                   {"mode", constant("eval")},
                                   {"seed", whole(0)},
                                   {"generator", constant("mt19937")},
                                   {"deterministic", constant(true)},
                                   {"seeded", object({{"input", shaped(input_shape, 32)},
                                                      {"output", shaped(output_shape, 64)}})}});
    return object({{"capturedAt", text()},
                   {"productRevision", text()},
                   {"sourceSha256", pattern("^[0-9a-f]{64}$")},
                   {"python", text()},
                   {"torch", text()},
                   {"program", text()},
                   {"execution", execution},
                   {"outcome", {{"enum", {"passed", "failed"}}}},
                   {"outputShape", constant(output_shape)},
                   {"method", text()},
                   {"scope", text()},
                   {"numericalChecks", list_of(3, text())},
                   {"measurements", list_of(3, object({{"claim", text()},
                                                       {"figure", text()},
                                                       {"measured", number()},
                                                       {"bound", number()},
                                                       {"passed", truth()}}))}});
}

Json layer() {
    return object(
        {{"id", text()},
         {"label", text()},
         {"op", text()},
         {"kind", {{"enum", {"input", "layer", "module", "output"}}}},
         {"parent", {{"anyOf", {text(), null()}}}},
         {"params",
          {{"type", "object"}, {"additionalProperties", {{"anyOf", {text(), number()}}}}}},
         {"source", object({{"line", whole(1)}, {"endLine", whole(1)}}), false}});
}

Json connection() {
    return object({{"id", pattern("^edge-[1-9][0-9]*$")},
                   {"source", text()},
                   {"target", text()},
                   {"sourcePort", null()},
                   {"targetPort", null()}});
}

Json step() {
    return object({{"id", text()}, {"target", text()}, {"title", text()}, {"note", text()}});
}

Json experiment() {
    const Json vector = object({{"label", text()}, {"values", list_of(8, number())}});
    const Json metric = object({{"label", text()}, {"value", number()}});
    const Json mean = object({{"label", text()},
                              {"ascending", number()},
                              {"pairwise", number()},
                              {"twoLanes", number()}});
    const Json one = object({{"id", {{"enum", {"balanced", "offset", "scaled"}}}},
                             {"label", text()},
                             {"note", text()},
                             {"target", text()},
                             {"vectors", list_of(3, vector)},
                             {"metrics", list_of(2, metric)},
                             {"meansByOrder", list_of(2, mean)}});
    return object({{"kind", constant("vectors")},
                   {"title", text()},
                   {"description", text()},
                   {"controlLabel", text()},
                   {"cases", list_of(3, one)}});
}

Json files() {
    std::vector<Property> all;
    for (const char* name :
         {"graph.tensorviz.json", "model.py", "run.py", "requirements.txt", "preview.svg"}) {
        all.push_back({name, object({{"url", constant(name)},
                                     {"sha256", pattern("^[0-9a-f]{64}$")},
                                     {"bytes", whole(1)}})});
    }
    return object(all);
}

}  // namespace

std::string exhibit_schema() {
    Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Manifest of the exhibit written by rmsnorm-fixture"}};
    json.update(object(
        {{"schemaVersion", constant(1)},
         {"slug", constant("rmsnorm")},
         {"title", text()},
         {"className", constant("NormalizationComparison")},
         {"question", text()},
         {"description", text()},
         {"category", text()},
         {"tags", list(text())},
         {"curator", text()},
         {"attribution", text()},
         {"license", text()},
         {"limitations", text()},
         {"openingStep", text()},
         {"provenance", provenance()},
         {"layers", list(layer())},
         {"connections", list(connection())},
         {"steps", list(step())},
         {"milestone", object({{"name", text()},
                               {"year", whole(1)},
                               {"kind", text()},
                               {"fidelity", text()},
                               {"papers", list(object({{"title", text()}, {"url", text()}}))}})},
         {"experiment", experiment()},
         {"revision", pattern("^[0-9a-f]{16}$")},
         {"files", files()}}));
    return json.dump(2) + "\n";
}

}  // namespace rmsnorm::report
