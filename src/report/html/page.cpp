#include "report/html/page.hpp"

#include "report/html/escape.hpp"
#include "report/html/style.hpp"
#include "report/version.hpp"

namespace rmsnorm::report::html {
namespace {

std::string head(const Page& page) {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"" +
           page.mark_name + "\" content=\"" + escaped(page.mark) + "\">\n<title>" +
           escaped(page.title) +
           "</title>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"description\" content=\"" +
           escaped(page.description) +
           "\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
           // Without one, a browser asks the server for /favicon.ico.
           "<link rel=\"icon\" href=\"data:,\">\n<style>\n" +
           std::string(style()) + "</style>\n</head>\n";
}

std::string contents(const Page& page) {
    if (page.contents.empty()) return "";
    std::string text = "<nav aria-label=\"On this page\">\n<ol>\n";
    for (const auto& [id, title] : page.contents) {
        text += "<li><a href=\"#" + id + "\">" + title + "</a></li>\n";
    }
    return text + "</ol>\n</nav>\n";
}

std::string download(const Page& page) {
    if (page.evidence.empty()) return "";
    const Evidence& first = page.evidence.front();
    return "<p>Every figure on this page is the <code>display</code> of a figure in its evidence, "
           "which this file carries with values and bit patterns. <a class=\"download\" "
           "download=\"" +
           escaped(first.name) + "\" href=\"data:application/json;base64," + base64(first.json) +
           "\">Download the evidence as JSON</a></p>\n";
}

}  // namespace

std::string page(const Page& page) {
    std::string text = head(page);
    text += "<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header>\n";
    text += "<p class=\"eyebrow\">" + page.eyebrow + "</p>\n<h1>" + page.heading + "</h1>\n";
    text += "<p class=\"lede\">" + page.lede + "</p>\n</header>\n" + contents(page);
    text += "<main id=\"content\" tabindex=\"-1\">\n" + page.main + "</main>\n<footer>\n" +
            download(page);
    text += "<p>Made by " + std::string(program_name) + " " + std::string(program_version()) +
            (page.evidence.empty()
                 ? "."
                 : ", which computed and checked these figures; the page computes nothing.") +
            "</p>\n</footer>\n";
    for (const Evidence& evidence : page.evidence) {
        text += "<script type=\"application/json\" id=\"" + evidence.block + "\">" +
                script_json(evidence.json) + "</script>\n";
    }
    return text + "</body>\n</html>\n";
}

}  // namespace rmsnorm::report::html
