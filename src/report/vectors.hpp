// Sets of test vectors as JSON documents, and the schema of these (docs/vectors.md).
#pragma once

#include <string>

#include "judge/vectors/vector_set.hpp"

namespace rmsnorm::report {

/// "vectors-f32-forward": what the document says it is.
std::string vectors_name(judge::NumberFormat format, judge::vectors::Direction direction);

/// "f32-forward.json": how its file is called.
std::string vectors_file_name(judge::NumberFormat format, judge::vectors::Direction direction);

/// Two-space indent, every array of numbers or bit patterns on a line of its own, one final
/// newline.
std::string json(const judge::vectors::VectorSet& set);

/// The JSON Schema (draft 2020-12) of these documents.
std::string vectors_schema();

}  // namespace rmsnorm::report
