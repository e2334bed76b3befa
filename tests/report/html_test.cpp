// The pages: what a reader typed stays text, and every figure shown is the JSON's.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "evidence/chapter.hpp"
#include "evidence/sweep.hpp"
#include "report/html/chapter_page.hpp"
#include "report/html/elements.hpp"
#include "report/html/escape.hpp"
#include "report/html/experiment_page.hpp"
#include "report/html/index_page.hpp"
#include "report/html/svg.hpp"
#include "report/html/view.hpp"
#include "report/json.hpp"

namespace {

using namespace rmsnorm;
using evidence::Record;
using report::Document;
using report::DocumentKind;
using report::html::View;
using tensor::Tensor;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

// What the page shows, without its embedded JSON.
std::string visible(const std::string& page) { return page.substr(0, page.find("<script")); }

Document experiment(Record results) {
    return {DocumentKind::experiment, "some", Record(), std::move(results), {}};
}

Document chapter_document() {
    const evidence::Chapter chapter = evidence::chapter();
    return {DocumentKind::fixture, "25-rmsnorm", {}, results(chapter), chapter.checks};
}

Document sweep_document() {
    const evidence::Sweep sweep = evidence::sweep(evidence::chapter_sweep_case());
    return {DocumentKind::experiment, "sweep", inputs(sweep), results(sweep), sweep.checks};
}

Tensor counted(std::size_t size) {
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<double>(i);
    return Tensor::vector(std::move(values));
}

TEST_CASE("each character with a meaning in HTML is escaped, others stay") {
    CHECK(report::html::escaped("<a href=\"x\" & 'y'>") ==
          "&lt;a href=&quot;x&quot; &amp; &#39;y&#39;&gt;");
    CHECK(report::html::escaped("gain.\xd7\xa9\xd7\x9c\tx\n") == "gain.\xd7\xa9\xd7\x9c\tx\n");
    CHECK(report::html::escaped(std::string("a\x01\x7f", 3)) == "a\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("base64 is that of RFC 4648, section 10") {
    CHECK(report::html::base64("") == "");
    CHECK(report::html::base64("f") == "Zg==");
    CHECK(report::html::base64("fo") == "Zm8=");
    CHECK(report::html::base64("foo") == "Zm9v");
    CHECK(report::html::base64("foob") == "Zm9vYg==");
    CHECK(report::html::base64("fooba") == "Zm9vYmE=");
    CHECK(report::html::base64("foobar") == "Zm9vYmFy");
    CHECK(report::html::base64("\xff\xfe\xfd") == "//79");
}

TEST_CASE("a name that is a script is text on the page and cannot close the JSON block") {
    const std::string name = "</script><script>alert(1)</script><!--";
    const std::string page = report::html::experiment_page(experiment(Record().add("name", name)));
    CHECK(contains(visible(page), "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
    // The block's own two tags are all that there is.
    CHECK(occurrences(page, "<script") == 1);
    CHECK(occurrences(page, "</script") == 1);
    CHECK(occurrences(page, "<!--") == 0);
    CHECK(contains(page, "\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--"));
}

TEST_CASE("names, messages and ids are escaped wherever a page shows them") {
    Document document = experiment(Record().add("<key>", "<value>"));
    document.id = "<id>";
    document.inputs.add("<input>", "\"><img src=x>");
    document.checks = {evidence::at_most("<check>", "<statement>", 0, 1)};
    const std::string page = visible(report::html::experiment_page(document));
    for (const std::string raw :
         {"<key>", "<value>", "<id>", "<input>", "<img", "<check>", "<statement>"}) {
        CAPTURE(raw);
        CHECK_FALSE(contains(page, raw));
    }
    const std::string index =
        report::html::index_page({{"<id>", "<heading>", "<file>", "<summary>"}});
    for (const std::string raw : {"<id>", "<heading>", "<file>", "<summary>"}) {
        CAPTURE(raw);
        CHECK_FALSE(contains(index, raw));
    }
}

TEST_CASE("a right-to-left or very long name stands in an element that isolates and breaks it") {
    const std::string hebrew = "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d";
    const std::string page = visible(report::html::experiment_page(
        experiment(Record().add("name", hebrew).add("long", std::string(200, 'x')))));
    CHECK(contains(page, "<bdi class=\"w\" data-path=\"name\">" + hebrew + "</bdi>"));
    CHECK(
        contains(page, "<bdi class=\"w\" data-path=\"long\">" + std::string(200, 'x') + "</bdi>"));
    CHECK(contains(page, ".w { overflow-wrap: anywhere; }"));
}

TEST_CASE("a vector is shown whole up to a length, and by its first and last values beyond it") {
    const std::size_t longest = report::html::longest_vector;
    const Document whole = experiment(Record().add("v", counted(longest)));
    const std::string all = report::html::vector(View(whole), "v");
    CHECK(occurrences(all, "data-path") == longest);
    CHECK_FALSE(contains(all, "more of"));

    const Document beyond = experiment(Record().add("v", counted(1000)));
    for (const std::string& shown : {report::html::vector(View(beyond), "v"),
                                     report::html::value_list(View(beyond), "v", "x")}) {
        CHECK(occurrences(shown, "data-path") == 8);
        CHECK(contains(shown, ">0.000000</span>"));
        CHECK(contains(shown, ">5.000000</span>"));
        CHECK_FALSE(contains(shown, ">6.000000</span>"));
        CHECK(contains(shown, "992 more of 1000"));
        CHECK_FALSE(contains(shown, ">997.000000</span>"));
        CHECK(contains(shown, ">998.000000</span>"));
        CHECK(contains(shown, ">999.000000</span>"));
    }
}

TEST_CASE("an empty tensor and an empty list are shown as such") {
    const Document document =
        experiment(Record().add("v", Tensor({0, 2}, {})).add("list", evidence::Array()));
    const std::string page = visible(report::html::experiment_page(document));
    CHECK(contains(page, "[0, 2]"));
    CHECK(contains(page, "none"));
    CHECK(contains(report::html::value_list(View(document), "v", "x"), "no values"));
}

TEST_CASE("a view finds figures by the path that the JSON has") {
    evidence::Array rows;
    rows.items.push_back(Record().add("epsilon", evidence::Scalar{0.5, {3}}));
    Document document = experiment(Record()
                                       .add("v", Tensor::vector({3, -4}))
                                       .add("rows", rows)
                                       .add("verdict", true)
                                       .add("size", 7U)
                                       .add("gone", 1.0, evidence::Presence::absent));
    document.inputs.add("x", 2.0);
    document.checks = {evidence::at_most("c", "s", 0.25, 1)};
    const View view(document);
    CHECK(view.words("v/1") == "-4.000000");
    CHECK(view.value("v/1") == -4);
    CHECK(view.words("rows/0/epsilon") == "0.500");
    CHECK(view.words("verdict") == "true");
    CHECK(view.words("size") == "7");
    CHECK(view.words("inputs/x") == "2.000000");
    CHECK(view.value("checks/0/measure") == 0.25);
    CHECK(view.count("rows") == 1);
    CHECK(view.count("v") == 2);
    for (const std::string path :
         {"", "v/2", "v/x", "v/0/0", "rows/1", "rows/0/none", "gone", "v/"}) {
        CAPTURE(path);
        CHECK_FALSE(view.has(path));
        CHECK_THROWS_AS(view.words(path), std::out_of_range);
    }
    CHECK_THROWS_AS(view.words("rows"), std::out_of_range);
    CHECK_THROWS_AS(view.value("verdict"), std::out_of_range);
    CHECK_THROWS_AS(view.truth("size"), std::out_of_range);
    CHECK_THROWS_AS(view.tensor("verdict"), std::out_of_range);
}

TEST_CASE("the chapter's page says in its first bytes which fixture it is, and carries its JSON") {
    const Document chapter = chapter_document();
    const Document sweep = sweep_document();
    const std::string page = report::html::chapter_page(chapter, sweep);
    CHECK(page.substr(0, 512).find("<meta name=\"fixture\" content=\"25-rmsnorm\">") !=
          std::string::npos);
    CHECK(page.rfind("<!doctype html>\n", 0) == 0);
    CHECK(contains(page, report::html::base64(report::json(chapter))));
    CHECK(contains(page, report::html::script_json(report::json(chapter))));
    CHECK(contains(page, report::html::script_json(report::json(sweep))));
    CHECK(page.size() < 250U * 1024);
}

TEST_CASE("the chapter's page shows its parts in the order in which the chapter reads") {
    const std::string page = report::html::chapter_page(chapter_document(), sweep_document());
    std::size_t before = 0;
    for (const std::string id : {"predict", "forward", "scale", "sweep", "history", "backward",
                                 "parameters", "zero", "batch", "boundaries", "proof"}) {
        CAPTURE(id);
        const std::size_t at = page.find("<section id=\"" + std::string(id) + "\"");
        REQUIRE(at != std::string::npos);
        CHECK(at > before);
        before = at;
    }
}

TEST_CASE("a page shows a failed check, a missed boundary and a broken replay as what they are") {
    evidence::Chapter chapter = evidence::chapter();
    const auto page_of = [&] {
        const Document document{
            DocumentKind::fixture, "25-rmsnorm", {}, results(chapter), chapter.checks};
        return visible(report::html::chapter_page(document, sweep_document()));
    };
    CHECK_FALSE(contains(page_of(), "verdict bad"));
    chapter.replay_bitwise = false;
    CHECK(contains(page_of(), "verdict bad"));
    chapter.replay_bitwise = true;
    chapter.boundaries.cases[0].rejected = false;
    CHECK(contains(page_of(), "not rejected"));
    chapter.boundaries.cases[0].rejected = true;
    chapter.checks[0].passed = false;
    CHECK(contains(page_of(), "verdict bad"));
    Document document = experiment(Record());
    document.checks = {evidence::at_most("c", "s", 2, 1)};
    CHECK(contains(visible(report::html::experiment_page(document)), "a check failed"));
    CHECK(contains(visible(report::html::experiment_page(document)), "fails"));
}

TEST_CASE("a bar runs from zero to the value's share of the largest, to the side of its sign") {
    CHECK(contains(report::html::bar(2, 4, false), "x=\"0\" y=\"1\" width=\"50\""));
    CHECK(contains(report::html::bar(-2, 4, true), "x=\"25\" y=\"1\" width=\"25\""));
    CHECK(contains(report::html::bar(4, 4, true), "x=\"50\" y=\"1\" width=\"50\""));
    CHECK(contains(report::html::bar(0, 0, false), "width=\"0\""));
}

TEST_CASE("a plot puts a point at its share of a logarithmic and of a linear axis") {
    report::html::Plot plot;
    plot.id = "p";
    plot.x = {"x", true, 0.01, 100, report::html::decade_ticks(-2, 2, 2)};
    plot.y = {"y", false, 0, 4, {}};
    plot.series = {{"", 1, true, true, {{0.01, 0}, {1, 1}, {100, 4}}}};
    const std::string drawing = report::html::svg(plot);
    // The area is 84 to 696 across and 332 down to 40.
    CHECK(contains(drawing, "cx=\"84\" cy=\"332\""));
    CHECK(contains(drawing, "cx=\"390\" cy=\"259\""));
    CHECK(contains(drawing, "cx=\"696\" cy=\"40\""));
    CHECK(contains(drawing, "M84 332C"));
    // The area of the narrow drawing is 64 to 346 across and 240 down to 36.
    CHECK(contains(drawing, "cx=\"64\" cy=\"240\""));
    CHECK(contains(drawing, "cx=\"205\" cy=\"189\""));
    CHECK(contains(drawing, "cx=\"346\" cy=\"36\""));
    CHECK(occurrences(drawing, "class=\"tick\"") == 2 * 3);
}

TEST_CASE("a narrow plot keeps every mark of an axis and drops the words that have no room") {
    report::html::Plot plot;
    plot.id = "p";
    plot.x = {"x", false, 0, 20, {}};
    for (int i = 0; i <= 20; ++i) plot.x.ticks.emplace_back(i, std::to_string(i));
    plot.y = {"y", false, 0, 4, {}};
    const std::string drawing = report::html::svg(plot);
    // Each drawing has the axis itself and 21 marks. The narrow one has 14.1 between two marks and
    // 40 at least between two words: at 0, 3, …, 18.
    CHECK(occurrences(drawing, "class=\"mark\"") == 2 * 22);
    CHECK(occurrences(drawing, "class=\"tick\"") == 21 + 7);
}

TEST_CASE("figures of a column stand under each other by their points, whatever their sign") {
    const Document document = experiment(Record().add("a", 1.5).add("b", -10.25));
    const auto cells = report::html::aligned(View(document), {"a", "b"});
    REQUIRE(cells.size() == 2);
    const std::string figure_space = "\xe2\x80\x87";
    const std::string sign = "<span class=\"sign\" aria-hidden=\"true\">-</span>";
    CHECK(cells[0] == figure_space + sign + View(document).figure("a"));
    CHECK(cells[1] == View(document).figure("b"));
}

TEST_CASE("a table's columns of such figures begin at their left, head and cells, and no others") {
    const std::string table =
        report::html::table({"caption", {"h0", "h1"}, {{"c0", "c1"}}, "", {1}});
    CHECK(contains(table, "<th scope=\"col\">h0</th><th class=\"points\" scope=\"col\">h1</th>"));
    CHECK(contains(table, "<th scope=\"row\">c0</th><td class=\"points\">c1</td>"));
}

TEST_CASE("an index, which shows no figures, does not say that it computed some") {
    CHECK_FALSE(contains(report::html::index_page({}), "these figures"));
    CHECK(contains(report::html::experiment_page(experiment(Record())), "these figures"));
}

}  // namespace
