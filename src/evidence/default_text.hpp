// Any evidence as the lines of a text report, and the parts of which special layouts are made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/key_value_lines.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::evidence {

/// A figure, a word, or an array of them, as the JSON displays it; nothing for records.
std::string datum_text(const Datum& datum, Extent extent);

/// "name=key:figure key:figure …" for the fields that hold one figure each.
std::string record_line(std::string_view name, const Record& record, Extent extent);

/// "name_key=figure" for each field that holds one.
std::string field_lines(std::string_view name, const Record& record, Extent extent);

/// What a record holds under a key that it has.
const Datum& field(const Record& record, std::string_view key);
const Record& record_field(const Record& record, std::string_view key);
const Array& array_field(const Record& record, std::string_view key);

std::string note(std::string_view text);
std::string note_lines(const std::vector<std::string>& notes);

/// `field_lines` of each object of a document's results, and a `record_line` for each record in it.
std::string default_text(const Record& results, Extent extent);

/// One line a check, which no report shows unasked.
std::string text(const std::vector<Check>& checks);

}  // namespace rmsnorm::evidence
