// JSON as a value in memory, whose keys keep their order.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace rmsnorm::report {

using Json = nlohmann::ordered_json;

}  // namespace rmsnorm::report
