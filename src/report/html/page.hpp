// The frame of every page: one file that needs nothing else.
#pragma once

#include <string>
#include <vector>

namespace rmsnorm::report::html {

/// JSON that the page carries; the first block can be downloaded.
struct Evidence {
    std::string block;  // the id of its element
    std::string name;   // of the downloaded file
    std::string json;
};

struct Page {
    /// <meta name="fixture" content="25-rmsnorm">, in the first bytes: how a golden is recognised.
    std::string mark_name;
    std::string mark;
    std::string title;  // plain text, as is `description`
    std::string description;
    std::string eyebrow;  // what stands over the heading, HTML, as is all that follows
    std::string heading;
    std::string lede;
    std::vector<std::pair<std::string, std::string>> contents;  // id and title of each section
    std::string main;
    std::vector<Evidence> evidence;
};

std::string page(const Page& page);

}  // namespace rmsnorm::report::html
