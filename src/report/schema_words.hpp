// The words of JSON Schemas that more than one of the program's schemas has.
#pragma once

#include "report/json_value.hpp"

namespace rmsnorm::report {

/// Text that is not empty.
Json schema_text();
Json schema_number();
Json schema_whole(int least);
Json schema_list(const Json& items);

/// An object with these properties and no others.
Json schema_object(const Json& properties, const Json& required);

}  // namespace rmsnorm::report
