#include "report/html/index_page.hpp"

#include "report/html/elements.hpp"
#include "report/html/escape.hpp"
#include "report/html/page.hpp"

namespace rmsnorm::report::html {

std::string index_page(const std::vector<IndexEntry>& entries) {
    Page shown;
    shown.mark_name = "page";
    shown.mark = "index";
    shown.title = "RMSNorm experiments that check their own results";
    shown.description =
        "Pages of checked numerical experiments on RMSNorm, LayerNorm and BatchNorm: each one file "
        "that carries its own evidence.";
    shown.eyebrow = "rmsnorm-fixture";
    shown.heading = "Experiments that check their own results";
    shown.lede =
        "RMSNorm and its neighbours in numbers that were computed, checked and can be "
        "replayed bit for bit.";
    std::string cards = "<div class=\"cards\">\n";
    for (const IndexEntry& entry : entries) {
        cards += card(State::plain,
                      "<a href=\"" + escaped(entry.file) + "\">" + escaped(entry.title) + "</a>",
                      "<p class=\"note\"><code>" + escaped(entry.id) + "</code></p>\n<p>" +
                          escaped(entry.summary) + "</p>\n");
    }
    shown.main = section("fixtures", "Fixtures", cards + "</div>\n");
    return page(shown);
}

}  // namespace rmsnorm::report::html
