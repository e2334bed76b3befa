// Templates: HTML with tags in double braces (docs/pages.md).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rmsnorm::pages {

/// `title="Ten times"` has a key; a plain word has none.
struct Word {
    std::string key;
    std::string value;
};

/// Text between tags, or a tag. A tag that opens a block holds what stands up to its end: the body,
/// what follows {{gap}} and what follows {{else}}.
struct Node {
    std::string_view text;    // of text, or of the tag as it is written
    std::vector<Word> words;  // of a tag; the first one says what it does
    std::size_t line = 0;
    std::vector<Node> body = {};
    std::vector<Node> gap = {};
    std::vector<Node> otherwise = {};
};

/// A block's tag alone on its line leaves no line, nor does a comment's ({{! … }}). `name` is the
/// file's, for PageError, which a tag without end, or an end without beginning, throws. The nodes
/// refer to `source`.
std::vector<Node> parsed(std::string_view name, std::string_view source);

/// A file of src/pages/templates/ by its path in that folder. Throws PageError where there is none.
std::string_view template_source(std::string_view name);

bool has_template(std::string_view name);

}  // namespace rmsnorm::pages
