// The pages: what a reader typed stays text, and every figure shown is the JSON's.
#include "pages/pages.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "experiments/all.hpp"
#include "experiments/exhibit/exhibit.hpp"
#include "experiments/normalization/book.hpp"
#include "experiments/normalization/drift.hpp"
#include "experiments/normalization/stats.hpp"
#include "experiments/rmsnorm/chapter.hpp"
#include "experiments/rmsnorm/sweep.hpp"
#include "pages/escape.hpp"
#include "pages/lookup.hpp"
#include "pages/support.hpp"
#include "report/exhibit.hpp"
#include "report/json.hpp"

namespace {

using namespace rmsnorm::pages_tests;
using pages::FigureLookup;

// What the page shows, without its embedded JSON.
std::string visible(const std::string& page) { return page.substr(0, page.find("<script")); }

Document chapter_document() {
    const experiments::Chapter chapter = experiments::chapter();
    return {DocumentKind::fixture, "25-rmsnorm", {}, results(chapter), chapter.checks};
}

Document sweep_document() {
    experiments::SweepInputs inputs;
    const experiments::Sweep sweep = experiments::sweep(inputs);
    return {DocumentKind::experiment, "sweep", evidence::record_of(inputs.declared()),
            results(sweep), sweep.checks};
}

Document scale_document() {
    const auto scale = experiments::named("scale")->make();
    scale->run();
    return {DocumentKind::experiment, "scale", evidence::record_of(scale->inputs()),
            scale->results(), scale->checks()};
}

Tensor counted(std::size_t size) {
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<double>(i);
    return Tensor::vector(std::move(values));
}

report::Document book_document(const experiments::normalization::Book& book) {
    return {DocumentKind::fixture, "23-normalization", {}, results(book), book.proof.checks};
}

Document stats_document() {
    experiments::normalization::StatsInputs inputs;
    const auto stats = experiments::normalization::stats(inputs);
    return {DocumentKind::experiment, "stats", evidence::record_of(inputs.declared()),
            results(stats), stats.checks};
}

Document drift_document() {
    const auto drift =
        experiments::normalization::drift(experiments::normalization::book_drift_case());
    return {DocumentKind::experiment, "drift", inputs(drift), results(drift), drift.checks};
}

TEST_CASE("each character with a meaning in HTML is escaped, others stay") {
    CHECK(pages::escaped("<a href=\"x\" & 'y'>") ==
          "&lt;a href=&quot;x&quot; &amp; &#39;y&#39;&gt;");
    CHECK(pages::escaped("gain.\xd7\xa9\xd7\x9c\tx\n") == "gain.\xd7\xa9\xd7\x9c\tx\n");
    CHECK(pages::escaped(std::string("a\x01\x7f", 3)) == "a\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("base64 is that of RFC 4648, section 10") {
    CHECK(pages::base64("") == "");
    CHECK(pages::base64("f") == "Zg==");
    CHECK(pages::base64("fo") == "Zm8=");
    CHECK(pages::base64("foo") == "Zm9v");
    CHECK(pages::base64("foob") == "Zm9vYg==");
    CHECK(pages::base64("fooba") == "Zm9vYmE=");
    CHECK(pages::base64("foobar") == "Zm9vYmFy");
    CHECK(pages::base64("\xff\xfe\xfd") == "//79");
}

TEST_CASE("a name that is a script is text on the page and cannot close the JSON block") {
    const std::string name = "</script><script>alert(1)</script><!--";
    const std::string page = pages::experiment_page(experiment(Record().add("name", name)));
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
    const std::string page = visible(pages::experiment_page(document));
    for (const std::string raw :
         {"<key>", "<value>", "<id>", "<input>", "<img", "<check>", "<statement>"}) {
        CAPTURE(raw);
        CHECK_FALSE(contains(page, raw));
    }
    const std::string index = pages::index_page({{"<id>", "<heading>", "<file>", "<summary>"}});
    for (const std::string raw : {"<id>", "<heading>", "<file>", "<summary>"}) {
        CAPTURE(raw);
        CHECK_FALSE(contains(index, raw));
    }
}

TEST_CASE("a right-to-left or very long name stands in an element that isolates and breaks it") {
    const std::string hebrew = "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d";
    const std::string page = visible(pages::experiment_page(
        experiment(Record().add("name", hebrew).add("long", std::string(200, 'x')))));
    CHECK(contains(page, "<bdi class=\"w\" data-path=\"name\">" + hebrew + "</bdi>"));
    CHECK(
        contains(page, "<bdi class=\"w\" data-path=\"long\">" + std::string(200, 'x') + "</bdi>"));
    CHECK(contains(page, ".w { overflow-wrap: anywhere; }"));
}

TEST_CASE("a vector is shown whole up to a length, and by its first and last values beyond it") {
    const std::size_t longest = pages::longest_vector;
    const Document whole = experiment(Record().add("v", counted(longest)));
    const std::string all = filled("{{> parts/vector v}}", whole);
    CHECK(occurrences(all, "data-path") == longest);
    CHECK_FALSE(contains(all, "more of"));

    const Document beyond = experiment(Record().add("v", counted(1000)));
    for (const std::string text :
         {"{{> parts/vector v}}", "{{#scale v}}{{> parts/values v symbol=x}}{{/scale}}"}) {
        const std::string shown = filled(text, beyond);
        CHECK(occurrences(shown, "data-path") == 8);
        CHECK(contains(shown, "value=\"0.000000\""));
        CHECK(contains(shown, "value=\"5.000000\""));
        CHECK_FALSE(contains(shown, "value=\"6.000000\""));
        CHECK(contains(shown, "992 more of 1000"));
        CHECK_FALSE(contains(shown, "value=\"997.000000\""));
        CHECK(contains(shown, "value=\"998.000000\""));
        CHECK(contains(shown, "value=\"999.000000\""));
    }
}

TEST_CASE("an empty tensor and an empty list are shown as such") {
    const Document document =
        experiment(Record().add("v", Tensor({0, 2}, {})).add("list", evidence::Array()));
    const std::string page = visible(pages::experiment_page(document));
    CHECK(contains(page, "[0, 2]"));
    CHECK(contains(page, "none"));
    CHECK(contains(filled("{{#scale v}}{{> parts/values v symbol=x}}{{/scale}}", document),
                   "no values"));
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
    const FigureLookup view(document);
    CHECK(view.words("v/1") == "-4.000000");
    CHECK(view.value("v/1") == -4);
    CHECK(view.words("rows/0/epsilon") == "0.500");
    CHECK(view.words("verdict") == "true");
    CHECK(view.words("size") == "7");
    CHECK(view.words("inputs/x") == "2.000000");
    CHECK(view.value("checks/0/measure") == 0.25);
    CHECK(view.count("rows") == 1);
    CHECK(view.count("v") == 2);
    for (const std::string path : {"v/2", "v/x", "v/0/0", "rows/1", "rows/0/none", "gone", "v/"}) {
        CAPTURE(path);
        CHECK_FALSE(view.has(path));
        CHECK_THROWS_AS(view.words(path), PageError);
    }
    CHECK(view.words("v/last") == "-4.000000");
    CHECK(view.canonical("rows/last/epsilon") == "rows/0/epsilon");
    CHECK(view.column("rows/*/epsilon") == std::vector<std::string>{"rows/0/epsilon"});
    CHECK(view.column("v/*") == std::vector<std::string>{"v/0", "v/1"});
    CHECK_THROWS_AS(view.words(""), PageError);
    CHECK_THROWS_AS(view.words("rows"), PageError);
    CHECK_THROWS_AS(view.value("verdict"), PageError);
    CHECK_THROWS_AS(view.truth("size"), PageError);
    CHECK_THROWS_AS(view.tensor("verdict"), PageError);
}

TEST_CASE("a figure is shown as it is read, with the digits of the evidence as its value") {
    const Document document = experiment(
        Record().add("v", Tensor::vector({1.5, -2})).add("third", -1.0 / 3).add("size", 1000000U));
    CHECK(filled("{{v/0}}", document) ==
          "<data class=\"n\" value=\"1.500000\" data-path=\"v/0\"><span>1.5</span></data>");
    // The values of a vector have as many decimals as the longest of them.
    CHECK(contains(filled("{{v/1}}", document),
                   "<span>\xe2\x88\x92"
                   "2.0</span>"));
    CHECK(contains(filled("{{third}}", document),
                   "value=\"-0.333333\" data-path=\"third\"><span>\xe2\x88\x92"
                   "0.333333</span>"));
    // A count is read as it is, and attributes have the evidence's digits.
    CHECK(filled("{{size}}", document) == "<span class=\"n\" data-path=\"size\">1000000</span>");
    CHECK(filled("{{text v/0}}", document) == "1.500000");
}

TEST_CASE("the chapter's page says in its first bytes which fixture it is, and carries its JSON") {
    const Document chapter = chapter_document();
    const Document sweep = sweep_document();
    const std::string page = pages::chapter_page(chapter, sweep, scale_document());
    CHECK(page.substr(0, 512).find("<meta name=\"fixture\" content=\"25-rmsnorm\">") !=
          std::string::npos);
    CHECK(page.rfind("<!doctype html>\n", 0) == 0);
    CHECK(contains(page, pages::base64(report::json(chapter))));
    CHECK(contains(page, pages::script_json(report::json(chapter))));
    CHECK(contains(page, pages::script_json(report::json(sweep))));
    CHECK(page.size() < 250U * 1024);
}

TEST_CASE("the chapter's page shows its parts in the order in which the chapter reads") {
    const std::string page =
        pages::chapter_page(chapter_document(), sweep_document(), scale_document());
    std::size_t before = 0;
    for (const std::string id :
         {"forward", "predict", "scale", "sweep", "history", "block", "backward", "parameters",
          "zero", "batch", "boundaries", "proof"}) {
        CAPTURE(id);
        const std::size_t at = page.find("<section id=\"" + std::string(id) + "\"");
        REQUIRE(at != std::string::npos);
        CHECK(at > before);
        before = at;
    }
}

TEST_CASE("a page shows a failed check, a missed boundary and a broken replay as what they are") {
    experiments::Chapter chapter = experiments::chapter();
    const auto page_of = [&] {
        const Document document{
            DocumentKind::fixture, "25-rmsnorm", {}, results(chapter), chapter.checks};
        return visible(pages::chapter_page(document, sweep_document(), scale_document()));
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
    CHECK(contains(visible(pages::experiment_page(document)), "a check failed"));
    CHECK(contains(visible(pages::experiment_page(document)), "fails"));
}

TEST_CASE("a page tells a check that cannot decide from one that holds and from one that fails") {
    Document document = experiment(Record().add("agrees", evidence::Decision::undecided));
    document.checks = {evidence::at_most("c", "s", 1, 1), {"d", "s", 2, 1, false, false}};
    const std::string open = visible(pages::experiment_page(document));
    CHECK(contains(open, "a check could not decide"));
    CHECK(contains(open, "undecided"));
    CHECK_FALSE(contains(open, "verdict bad"));
    document.checks.push_back(evidence::at_most("e", "s", 2, 1));
    CHECK(contains(visible(pages::experiment_page(document)), "a check failed"));
    // In a table of its own a verdict is marked.
    for (const auto& [verdict, mark] : {std::pair(evidence::Decision::holds, "\"verdict good\""),
                                        std::pair(evidence::Decision::undecided, "\"verdict\""),
                                        std::pair(evidence::Decision::fails, "\"verdict bad\"")}) {
        const Document one = experiment(Record().add("v", verdict));
        CHECK(contains(filled("{{> parts/verdict v}}", one), mark));
    }
}

Document two_rows() {
    evidence::Array rows;
    rows.items.push_back(Record().add("name", "<one>").add("good", true));
    rows.items.push_back(Record().add("name", "two").add("good", false));
    return experiment(Record()
                          .add("rows", rows)
                          .add("none", evidence::Array())
                          .add("v", Tensor({2, 2}, {1, 2, 3, 4}))
                          .add("size", 7U));
}

TEST_CASE("a template's tags give figures, words, loops and conditions") {
    const Document document = two_rows();
    CHECK(filled("a {{size}} b", document) == "a <span class=\"n\" data-path=\"size\">7</span> b");
    CHECK(filled("{{#each rows}}{{#later}}; {{/later}}{{text ./name}} {{$number}}{{/each}}",
                 document) == "&lt;one&gt; 1; two 2");
    CHECK(filled("{{#each none}}x{{else}}nothing{{/each}}", document) == "nothing");
    CHECK(filled("{{#each rows}}{{#if ./good}}yes{{else}}no{{/if}} {{/each}}", document) ==
          "yes no ");
    CHECK(filled("{{#each rows}}{{#is ./name two}}{{$index}}{{/is}}{{/each}}", document) == "1");
    CHECK(filled("{{#has rows/1 gone}}x{{else}}y{{/has}}", document) == "y");
    CHECK(filled("{{#each v rows}}{{#each .}}{{text .}} {{/each}}|{{/each}}", document) ==
          "1.000000 2.000000 |3.000000 4.000000 |");
    CHECK(filled("{{#each v}}{{$key}} {{/each}}{{shape v}}{{count v}}", document) ==
          "0,0 0,1 1,0 1,1 [2, 2]4");
    CHECK(filled("{{#each v}}{{#is ../../size 7}}{{$index}}{{/is}}{{/each}}", document) == "0123");
    CHECK(filled("{{#with rows/0}}{{text ./name}}{{/with}}", document) == "&lt;one&gt;");
    CHECK(filled("{{#> parts/good}}{{text size}}{{/parts/good}}", document) ==
          "<span class=\"verdict good\"><span aria-hidden=\"true\">\xe2\x9c\x93</span> 7</span>");
}

TEST_CASE("a tag that opens or ends a block leaves no line behind it") {
    CHECK(filled("a\n  {{#each rows}}\nb\n  {{/each}}\nc\n{{! a remark }}\nd", two_rows()) ==
          "a\nb\nb\nc\nd");
    CHECK(filled("a {{#has size}}b{{/has}}\nc", two_rows()) == "a b\nc");
}

TEST_CASE("a template that asks for what is not there is refused by its place and its tag") {
    const Document document = two_rows();
    CHECK(fault("a\n{{gone}}", document) ==
          "text, line 2: {{gone}}: the page asks for \"gone\", which the evidence does not have");
    for (const std::string text : {"{{rows}}",
                                   "{{v}}",
                                   "{{v/4}}",
                                   "{{text rows/2/name}}",
                                   "{{#each gone}}{{/each}}",
                                   "{{#if size}}{{/if}}",
                                   "{{@other/size}}",
                                   "{{$argument}}",
                                   "{{> no-such-template}}",
                                   "{{no such tag}}",
                                   "{{#no-such-block size}}{{/no-such-block}}",
                                   "{{#each rows}}",
                                   "{{/each}}",
                                   "{{else}}",
                                   "{{size",
                                   "{{}}",
                                   "{{count size}}",
                                   "{{aligned v/0}}x{{rows}}",
                                   "{{#kind size number}}{{/kind}}",
                                   "{{#plot}}{{series x=v/* y=gone/*}}{{/plot}}",
                                   "{{#plot}}{{series x=size y=v/*}}{{/plot}}",
                                   "{{#plot}}{{y-axis ticks=\"0 one\"}}{{/plot}}"}) {
        CAPTURE(text);
        CHECK(fault(text, document).rfind("text, line 1: ", 0) == 0);
    }
}

TEST_CASE("a missing path in the part of a condition that is not taken is found where all are") {
    const std::string text =
        "{{#each rows}}{{#if ./good}}{{else}}{{#is ./name two}}{{else}}{{gone}}"
        "{{/is}}{{/if}}{{/each}}";
    CHECK(fault(text, two_rows()).empty());
    CHECK(contains(fault(text, two_rows(), Branches::all), "gone"));
}

TEST_CASE("every path of the fixtures' pages is in their evidence, in parts not taken too") {
    CHECK_NOTHROW(
        pages::chapter_page(chapter_document(), sweep_document(), scale_document(), Branches::all));
    const experiments::normalization::Book book = experiments::normalization::book();
    CHECK_NOTHROW(
        pages::book_page(book_document(book), stats_document(), drift_document(), Branches::all));
    const experiments::Exhibit exhibit = experiments::exhibit();
    CHECK_NOTHROW(
        pages::exhibit_page(exhibit, report::exhibit_manifest(exhibit), {}, Branches::all));
}

TEST_CASE("an index, which shows no figures, does not say that it computed some") {
    CHECK_FALSE(contains(pages::index_page({}), "these figures"));
    CHECK(contains(pages::experiment_page(experiment(Record())), "these figures"));
}

}  // namespace
