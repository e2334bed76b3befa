// Filling a template: figures by their path, loops over the evidence, parts of pages.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/document.hpp"

namespace rmsnorm::pages {

/// A vector longer than this is shown by its first and last values.
inline constexpr std::size_t longest_vector = 12;

/// What a template names as {{$name}}: HTML, so that foreign text is escaped before.
using Arguments = std::map<std::string, std::string, std::less<>>;

/// A document whose figures the page shows and whose JSON it carries.
struct Block {
    std::string id;    // of its <script> element; "evidence" for that of plain paths
    std::string name;  // of the file as which the first block is offered
    std::string json;
};

struct Content {
    /// Paths without "@" are those of the first document; "@sweep/…" are those of the document
    /// whose block is "sweep-evidence".
    std::vector<std::pair<std::string, report::Document>> documents;  // by their blocks
    std::vector<Block> blocks;
    Arguments arguments;
    std::map<std::string, std::vector<Arguments>, std::less<>> lists;
};

/// Both parts of every condition are filled, and one of them thrown away: a path that is missing in
/// the other one is found too.
enum class Branches { taken, all };

/// Throws PageError: a path, an argument or a template that does not exist, or a tag that cannot
/// be. The tags are those of docs/pages.md.
std::string filled(const std::string& template_name, const Content& content,
                   Branches branches = Branches::taken);

/// The same for the text of a template; PageError calls it by its name.
std::string filled_text(std::string_view source, const Content& content,
                        Branches branches = Branches::taken, const std::string& name = "text");

}  // namespace rmsnorm::pages
