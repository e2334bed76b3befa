// The words of JSON Schemas that more than one of the program's schemas has.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace rmsnorm::report {

/// Text that is not empty.
nlohmann::ordered_json schema_text();
nlohmann::ordered_json schema_number();
nlohmann::ordered_json schema_whole(int least);
nlohmann::ordered_json schema_list(const nlohmann::ordered_json& items);

/// An object with these properties and no others.
nlohmann::ordered_json schema_object(const nlohmann::ordered_json& properties,
                                     const nlohmann::ordered_json& required);

}  // namespace rmsnorm::report
