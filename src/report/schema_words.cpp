#include "report/schema_words.hpp"

#include <nlohmann/json.hpp>

namespace rmsnorm::report {

Json schema_text() { return {{"type", "string"}, {"minLength", 1}}; }
Json schema_number() { return {{"type", "number"}}; }
Json schema_whole(int least) { return {{"type", "integer"}, {"minimum", least}}; }
Json schema_list(const Json& items) { return {{"type", "array"}, {"items", items}}; }

Json schema_object(const Json& properties, const Json& required) {
    return {{"type", "object"},
            {"properties", properties},
            {"required", required},
            {"additionalProperties", false}};
}

}  // namespace rmsnorm::report
