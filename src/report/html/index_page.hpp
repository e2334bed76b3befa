// The page that leads to the fixtures' pages.
#pragma once

#include <string>
#include <vector>

namespace rmsnorm::report::html {

struct IndexEntry {
    std::string id;     // of the fixture, plain text as is all here
    std::string title;  // of its page
    std::string file;   // beside the index
    std::string summary;
};

std::string index_page(const std::vector<IndexEntry>& entries);

}  // namespace rmsnorm::report::html
