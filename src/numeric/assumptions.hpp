// What the project's arithmetic takes for granted of the processor, the compiler and the process,
// tested where it runs.
#pragma once

#include <vector>

namespace rmsnorm::numeric {

struct Assumption {
    const char* name;       // "rounding-mode"
    const char* statement;  // what should hold
    const char* otherwise;  // what a violation means for the figures
    bool holds;
};

/// Evaluation in binary64 and binary32, rounding to nearest even, gradual underflow in operands and
/// results, no contraction of a product and a sum into one rounding, and exact square roots.
std::vector<Assumption> arithmetic_assumptions();

}  // namespace rmsnorm::numeric
