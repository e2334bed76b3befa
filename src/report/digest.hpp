// One hash over the bits of many results: two machines agree on it only when they agree on all.
#pragma once

#include <cstddef>
#include <string>

namespace rmsnorm::report {

/// The bits of the first `count` random cases (evidence/random_cases.hpp) as bytes: for each
/// operand its name, a colon and its big-endian patterns.
std::string random_case_bytes(std::size_t count);

/// SHA-256 of `random_case_bytes(count)`, in hexadecimal.
std::string random_case_digest(std::size_t count);

}  // namespace rmsnorm::report
