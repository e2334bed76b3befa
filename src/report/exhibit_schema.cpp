#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/exhibit.hpp"
#include "report/schema_words.hpp"

namespace rmsnorm::report {
namespace {

Json pattern(const std::string& expression) {
    return {{"type", "string"}, {"pattern", expression}};
}
Json constant(Json value) { return {{"const", std::move(value)}}; }
Json truth() { return {{"type", "boolean"}}; }
Json null() { return {{"type", "null"}}; }

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
    return schema_object(properties, required);
}

Json shaped(const Json& shape, int count) {
    return object({{"shape", constant(shape)},
                   {"dtype", constant("float32")},
                   {"values", list_of(count, schema_number())}});
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
                                   {"seed", schema_whole(0)},
                                   {"generator", constant("mt19937")},
                                   {"deterministic", constant(true)},
                                   {"seeded", object({{"input", shaped(input_shape, 32)},
                                                      {"output", shaped(output_shape, 64)}})}});
    return object({{"capturedAt", schema_text()},
                   {"productRevision", schema_text()},
                   {"sourceSha256", pattern("^[0-9a-f]{64}$")},
                   {"python", schema_text()},
                   {"torch", schema_text()},
                   {"program", schema_text()},
                   {"execution", execution},
                   {"outcome", {{"enum", {"passed", "failed"}}}},
                   {"outputShape", constant(output_shape)},
                   {"method", schema_text()},
                   {"scope", schema_text()},
                   {"numericalChecks", list_of(3, schema_text())},
                   {"measurements", list_of(3, object({{"claim", schema_text()},
                                                       {"figure", schema_text()},
                                                       {"measured", schema_number()},
                                                       {"bound", schema_number()},
                                                       {"passed", truth()}}))}});
}

Json layer() {
    return object(
        {{"id", schema_text()},
         {"label", schema_text()},
         {"op", schema_text()},
         {"kind", {{"enum", {"input", "layer", "module", "output"}}}},
         {"parent", {{"anyOf", {schema_text(), null()}}}},
         {"params",
          {{"type", "object"},
           {"additionalProperties", {{"anyOf", {schema_text(), schema_number()}}}}}},
         {"source", object({{"line", schema_whole(1)}, {"endLine", schema_whole(1)}}), false}});
}

Json connection() {
    return object({{"id", pattern("^edge-[1-9][0-9]*$")},
                   {"source", schema_text()},
                   {"target", schema_text()},
                   {"sourcePort", null()},
                   {"targetPort", null()}});
}

Json step() {
    return object({{"id", schema_text()},
                   {"target", schema_text()},
                   {"title", schema_text()},
                   {"note", schema_text()}});
}

Json experiment() {
    const Json vector = object({{"label", schema_text()}, {"values", list_of(8, schema_number())}});
    const Json metric = object({{"label", schema_text()}, {"value", schema_number()}});
    const Json mean = object({{"label", schema_text()},
                              {"ascending", schema_number()},
                              {"pairwise", schema_number()},
                              {"twoLanes", schema_number()}});
    const Json one = object({{"id", {{"enum", {"balanced", "offset", "scaled"}}}},
                             {"label", schema_text()},
                             {"note", schema_text()},
                             {"target", schema_text()},
                             {"vectors", list_of(3, vector)},
                             {"metrics", list_of(2, metric)},
                             {"meansByOrder", list_of(2, mean)}});
    return object({{"kind", constant("vectors")},
                   {"title", schema_text()},
                   {"description", schema_text()},
                   {"controlLabel", schema_text()},
                   {"cases", list_of(3, one)}});
}

Json files() {
    std::vector<Property> all;
    for (const char* name :
         {"graph.tensorviz.json", "model.py", "run.py", "requirements.txt", "preview.svg"}) {
        all.push_back({name, object({{"url", constant(name)},
                                     {"sha256", pattern("^[0-9a-f]{64}$")},
                                     {"bytes", schema_whole(1)}})});
    }
    return object(all);
}

}  // namespace

std::string exhibit_schema() {
    Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Manifest of the exhibit written by rmsnorm-fixture"}};
    json.update(
        object({{"schemaVersion", constant(1)},
                {"slug", constant("rmsnorm")},
                {"title", schema_text()},
                {"className", constant("NormalizationComparison")},
                {"question", schema_text()},
                {"description", schema_text()},
                {"category", schema_text()},
                {"tags", schema_list(schema_text())},
                {"curator", schema_text()},
                {"attribution", schema_text()},
                {"license", schema_text()},
                {"limitations", schema_text()},
                {"openingStep", schema_text()},
                {"provenance", provenance()},
                {"layers", schema_list(layer())},
                {"connections", schema_list(connection())},
                {"steps", schema_list(step())},
                {"milestone", object({{"name", schema_text()},
                                      {"year", schema_whole(1)},
                                      {"kind", schema_text()},
                                      {"fidelity", schema_text()},
                                      {"papers", schema_list(object({{"title", schema_text()},
                                                                     {"url", schema_text()}}))}})},
                {"experiment", experiment()},
                {"revision", pattern("^[0-9a-f]{16}$")},
                {"files", files()}}));
    return json.dump(2) + "\n";
}

}  // namespace rmsnorm::report
