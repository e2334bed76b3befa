// Which kind of file some bytes are the beginning of.
#pragma once

#include <string_view>

namespace rmsnorm::cli {

enum class Content { npy, json, text };

/// Tells by content: the first byte of numpy's magic is .npy, a first byte `[` or `{` that is not
/// white space is JSON, and the rest is text. `head` is the first few thousand bytes, or all there
/// are. Throws `ValuesError` that names the kind of a file that is neither.
Content recognise(std::string_view origin, std::string_view head);

/// Throws `ValuesError` when a text begins with a byte-order mark or is in UTF-16 or UTF-32.
void refuse_other_encodings(std::string_view origin, std::string_view head);

}  // namespace rmsnorm::cli
