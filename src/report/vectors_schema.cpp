#include <nlohmann/json.hpp>

#include "report/json.hpp"
#include "report/schema_words.hpp"
#include "report/vectors.hpp"
#include "report/version.hpp"

namespace rmsnorm::report {

std::string vectors_schema() {
    const Json text = schema_text();
    const Json count = schema_whole(0);
    const Json number = schema_number();
    const Json bits = schema_list({{"type", "string"}, {"pattern", "^([0-9a-f]{4}){1,4}$"}});
    const Json accepted = schema_object(
        {{"exact", schema_list(number)}, {"low", bits}, {"high", bits}}, {"exact", "low", "high"});
    const Json note =
        schema_object({{"id", text}, {"description", text}, {"reports", schema_list(text)}},
                      {"id", "description", "reports"});
    const Json recipes = {{"type", "object"}, {"additionalProperties", bits}};
    const Json test = schema_object({{"id", schema_whole(1)},
                                     {"comment", text},
                                     {"flags", schema_list(text)},
                                     {"result", {{"enum", {"valid", "refuse"}}}},
                                     {"input", bits},
                                     {"gain", bits},
                                     {"upstream", bits},
                                     {"output", accepted},
                                     {"input_gradient", accepted},
                                     {"gain_gradient", accepted},
                                     {"recipes", recipes}},
                                    {"id", "comment", "flags", "result", "input", "gain"});
    const Json group = schema_object({{"epsilon", {{"type", "number"}, {"minimum", 0}}},
                                      {"gain_offset", number},
                                      {"rows", count},
                                      {"width", count},
                                      {"tests", schema_list(test)}},
                                     {"epsilon", "gain_offset", "rows", "width", "tests"});
    Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Test vectors written by rmsnorm-fixture vectors"}};
    json.update(schema_object(
        {{"schema_version", {{"const", json_schema_version}}},
         {"fixture", {{"type", "string"}, {"pattern", "^vectors-"}}},
         {"algorithm", {{"const", "RMSNorm"}}},
         {"dtype", {{"enum", {"f64", "f32", "f16", "bf16"}}}},
         {"direction", {{"enum", {"forward", "backward"}}}},
         {"generator", schema_object({{"name", {{"const", program_name}}}, {"version", text}},
                                     {"name", "version"})},
         {"number_of_tests", count},
         {"notes", {{"type", "object"}, {"additionalProperties", note}}},
         {"groups", schema_list(group)}},
        {"schema_version", "fixture", "algorithm", "dtype", "direction", "generator",
         "number_of_tests", "notes", "groups"}));
    return json.dump(2) + "\n";
}

}  // namespace rmsnorm::report
