#include <nlohmann/json.hpp>

#include "report/json.hpp"
#include "report/vectors.hpp"
#include "report/version.hpp"

namespace rmsnorm::report {
namespace {

using Json = nlohmann::ordered_json;

Json object(Json properties, Json required) {
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
}

Json array_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

}  // namespace

std::string vectors_schema() {
    const Json text = {{"type", "string"}, {"minLength", 1}};
    const Json count = {{"type", "integer"}, {"minimum", 0}};
    const Json number = {{"type", "number"}};
    const Json bits = array_of({{"type", "string"}, {"pattern", "^([0-9a-f]{4}){1,4}$"}});
    const Json accepted = object({{"exact", array_of(number)}, {"low", bits}, {"high", bits}},
                                 {"exact", "low", "high"});
    const Json note = object({{"id", text}, {"description", text}, {"reports", array_of(text)}},
                             {"id", "description", "reports"});
    const Json recipes = {{"type", "object"}, {"additionalProperties", bits}};
    const Json test = object({{"id", {{"type", "integer"}, {"minimum", 1}}},
                              {"comment", text},
                              {"flags", array_of(text)},
                              {"result", {{"enum", {"valid", "refuse"}}}},
                              {"input", bits},
                              {"gain", bits},
                              {"upstream", bits},
                              {"output", accepted},
                              {"input_gradient", accepted},
                              {"gain_gradient", accepted},
                              {"recipes", recipes}},
                             {"id", "comment", "flags", "result", "input", "gain"});
    const Json group = object({{"epsilon", {{"type", "number"}, {"minimum", 0}}},
                               {"gain_offset", number},
                               {"rows", count},
                               {"width", count},
                               {"tests", array_of(test)}},
                              {"epsilon", "gain_offset", "rows", "width", "tests"});
    Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Test vectors written by rmsnorm-fixture vectors"}};
    json.update(object(
        {{"schema_version", {{"const", json_schema_version}}},
         {"fixture", {{"type", "string"}, {"pattern", "^vectors-"}}},
         {"algorithm", {{"const", "RMSNorm"}}},
         {"dtype", {{"enum", {"f64", "f32", "f16", "bf16"}}}},
         {"direction", {{"enum", {"forward", "backward"}}}},
         {"generator",
          object({{"name", {{"const", program_name}}}, {"version", text}}, {"name", "version"})},
         {"number_of_tests", count},
         {"notes", {{"type", "object"}, {"additionalProperties", note}}},
         {"groups", array_of(group)}},
        {"schema_version", "fixture", "algorithm", "dtype", "direction", "generator",
         "number_of_tests", "notes", "groups"}));
    return json.dump(2) + "\n";
}

}  // namespace rmsnorm::report
