// Numbers of drawings.
#pragma once

#include <string>

namespace rmsnorm::report {

/// A coordinate or a length in a drawing's own units, to a tenth: "12.5", "12", "0".
std::string svg_number(double value);

}  // namespace rmsnorm::report
