// Which kind of file some bytes are the beginning of.
#pragma once

#include <string_view>

namespace rmsnorm::cli {

enum class FileFormat { npy, json, text };

/// Tells by content: the first byte of numpy's magic is .npy, a first byte `[` or `{` that is not
/// white space is JSON, and the rest is text. `head` is the first few thousand bytes, or all there
/// are. Throws InputError that names the kind of a file that is neither.
FileFormat recognized_format(std::string_view origin, std::string_view head);

/// What a file is that was meant to be a safetensors file; "" where its beginning does not tell.
const char* kind_beside_safetensors(std::string_view head);

}  // namespace rmsnorm::cli
