// Foreign text inside HTML: what a reader typed stays text.
#pragma once

#include <string>
#include <string_view>

namespace rmsnorm::pages {

/// For text and for quoted attributes. A control character that HTML does not allow becomes U+FFFD.
std::string escaped(std::string_view text);

/// JSON for a <script> block: no string in it can end the block or open a comment, and a JSON
/// reader gets the same values.
std::string script_json(std::string_view json);

/// RFC 4648, section 4.
std::string base64(std::string_view bytes);

}  // namespace rmsnorm::pages
