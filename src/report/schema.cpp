#include "report/schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/json.hpp"
#include "report/schema_words.hpp"
#include "report/version.hpp"

namespace rmsnorm::report {
namespace {

Json reference(const std::string& definition) { return {{"$ref", "#/$defs/" + definition}}; }

// The schema of a datum: that of everything with the same keys and kinds.
struct Kind {
    Json operator()(bool) const { return {{"type", "boolean"}}; }
    Json operator()(evidence::Decision) const { return {{"type", {"boolean", "null"}}}; }
    Json operator()(std::uint64_t) const { return {{"type", "integer"}, {"minimum", 0}}; }
    Json operator()(const std::string&) const { return {{"type", "string"}}; }

    Json operator()(const evidence::Scalar& scalar) const {
        return reference(scalar.precision == evidence::Precision::binary32 ? "scalar32" : "scalar");
    }

    Json operator()(const evidence::TensorFigure& figures) const {
        return reference(figures.precision == evidence::Precision::binary32 ? "tensor32"
                                                                            : "tensor");
    }

    Json operator()(const evidence::Record& record) const {
        Json properties = Json::object();
        Json required = Json::array();
        for (const evidence::Field& field : record.fields) {
            properties[field.key] = std::visit(*this, field.datum.value);
            if (field.presence == evidence::Presence::always) required.push_back(field.key);
        }
        return schema_object(properties, required);
    }

    static void add(Json& kinds, Json kind) {
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
            kinds.push_back(std::move(kind));
        }
    }

    Json operator()(const evidence::Array& array) const {
        Json kinds = Json::array();
        for (const evidence::Datum& item : array.items) {
            add(kinds, std::visit(*this, item.value));
        }
        if (array.example) add(kinds, std::visit(*this, array.example->value));
        Json json = {{"type", "array"}};
        if (kinds.size() == 1) json["items"] = std::move(kinds[0]);
        if (kinds.size() > 1) json["items"] = {{"anyOf", std::move(kinds)}};
        return json;
    }
};

Json definitions() {
    const auto bits = [](int digits) {
        return Json{{"type", "string"}, {"pattern", "^[0-9a-f]{" + std::to_string(digits) + "}$"}};
    };
    const Json display = {{"type", "string"},
                          {"pattern", "^[+-]?[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?$"}};
    const Json size = {{"type", "integer"}, {"minimum", 0}};
    const Json number = {{"type", "number"}};
    // Of a certified document: the distance to the exact result.
    const Json distance = {{"type", "number"}, {"minimum", 0}};
    const auto scalar = [&](int digits) {
        return schema_object({{"value", number},
                              {"display", display},
                              {"bits", bits(digits)},
                              {"error_ulp", distance},
                              {"certified", {{"type", "boolean"}}}},
                             {"value", "display", "bits"});
    };
    const auto tensor = [&](int digits) {
        return schema_object({{"shape", schema_list(size)},
                              {"truncated", {{"type", "boolean"}}},
                              {"values", schema_list(number)},
                              {"display", schema_list(display)},
                              {"bits", schema_list(bits(digits))},
                              {"error_ulp", schema_list(distance)},
                              {"certified", schema_list({{"type", "boolean"}})}},
                             {"shape", "values", "display", "bits"});
    };
    const Json text = {{"type", "string"}};
    return {{"scalar", scalar(16)},
            {"scalar32", scalar(8)},
            {"tensor", tensor(16)},
            {"tensor32", tensor(8)},
            {"check", schema_object({{"name", text},
                                     {"statement", text},
                                     {"measure", reference("scalar")},
                                     {"bound", reference("scalar")},
                                     {"passed", Kind()(evidence::Decision())}},
                                    {"name", "statement", "measure", "bound", "passed"})},
            {"generator", schema_object({{"name", {{"const", program_name}}}, {"version", text}},
                                        {"name", "version"})}};
}

Json document_schema(const Document& sample) {
    const bool experiment = sample.kind == DocumentKind::experiment;
    const std::string kind = experiment ? "experiment" : "fixture";
    Json properties = {{"schema_version", {{"const", json_schema_version}}},
                       {kind, {{"const", sample.id}}},
                       {"generator", reference("generator")}};
    Json required = {"schema_version", kind, "generator"};
    Json results = Kind()(sample.results);
    if (experiment) {
        properties["inputs"] = Kind()(sample.inputs);
        required.push_back("inputs");
    }
    properties.update(results["properties"]);
    for (auto& key : results["required"]) required.push_back(key);
    properties["certification"] = {{"type", "string"}};
    if (experiment) {
        properties["checks"] = {{"type", "array"}, {"items", reference("check")}};
        required.push_back("checks");
    }
    return schema_object(properties, required);
}

}  // namespace

std::string schema(const std::vector<Document>& samples) {
    Json documents = Json::array();
    for (const Document& sample : samples) documents.push_back(document_schema(sample));
    const Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", "Evidence written by rmsnorm-fixture"},
                       {"oneOf", std::move(documents)},
                       {"$defs", definitions()}};
    return json.dump(2) + "\n";
}

}  // namespace rmsnorm::report
