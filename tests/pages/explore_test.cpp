#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "experiments/rmsnorm/chapter.hpp"
#include "pages/explore/core.hpp"
#include "pages/explore/explorer.hpp"
#include "report/json.hpp"

using namespace rmsnorm;

namespace {

struct Answer {
    bool refused;
    std::string text;
};

Answer ask(std::string_view request) {
    std::copy(request.begin(), request.end(), explorer_request(request.size()));
    const bool refused = explorer_run() != 0;
    return {refused, {explorer_answer(), explorer_answer_size()}};
}

report::Document chapter() {
    return {report::DocumentKind::fixture, "25-rmsnorm", {}, results(experiments::chapter()), {}};
}

void check_refused(std::string_view request, std::string_view part) {
    CAPTURE(request);
    const Answer answer = ask(request);
    CHECK(answer.refused);
    CHECK(answer.text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("the explorer's core answers with documents") {
    const Answer report = ask("report");
    CHECK_FALSE(report.refused);
    CHECK(report.text == report::json(chapter()));
    for (const std::string request :
         {"forward --input=3,4 --gain=1.5,0.5 --epsilon=1e-5", "stages --input=3,4",
          "gradcheck --input=3,4 --upstream=1,-2", "scale --input=3,4 --epsilon=0 --factor=10",
          "history --anchor=1,3 --companion=5,7", "compare --input=1,2 --offset=5 --scale=-1",
          "depth --input=1,2 --depths=1,32 --epsilon=1e-6", "predict --input=1,7"}) {
        CAPTURE(request);
        const Answer answer = ask(request);
        CHECK_FALSE(answer.refused);
        const std::string name = request.substr(0, request.find(' '));
        CHECK(answer.text.find("\"experiment\": \"" + name + "\"") != std::string::npos);
        CHECK(answer.text == ask(request).text);
    }
}

TEST_CASE("the explorer's core refuses with the layer's case and words, and goes on") {
    check_refused("forward --input=0,0 --epsilon=0",
                  "ZeroEnergyRow\nRMSNorm epsilon is zero but feature row 0 has zero mean square");
    check_refused("forward --input=1e300,1 --epsilon=0", "TapeFailure\nRMSNorm square");
    check_refused("forward --input=3,4 --gain=1", "\nfound 1 value of shape [1]; accepted: ");
    check_refused("forward --input=3,four", "\n--input: found \"3,four\"; accepted: decimal");
    check_refused("forward --input=3,,4", "\n--input: found \"3,,4\"");
    check_refused("forward --input=1e999", "\n--input: found \"1e999\"");
    check_refused("forward --epsilon=-1", "\n--epsilon: found \"-1\"; accepted: a finite number");
    check_refused("forward --color=always", "\nfound --color=always; accepted: options");
    check_refused("forward --input", "\nfound --input; accepted: options");
    check_refused("forward --gain-name=x", "no such option in the explorer");
    check_refused("judge", "\nfound judge; accepted: an experiment of the explorer");
    check_refused("", "\nfound ; accepted: an experiment of the explorer");
    check_refused("compare --input=1,1 --epsilon=0", "variance");
    check_refused("depth --input=1e9,1", "accepted: a first value that moves by 0.001");
    check_refused("depth --input=1,1e39", "\n--input: element 2: found \"1e39\"; accepted: magn");
    check_refused("depth --epsilon=1e39", "\n--epsilon: found \"1e39\"; accepted: magnitudes");
    check_refused("depth --input=1,2 --depths=1.5", "\n--depths: found \"1.5\"");
    check_refused("predict --input=1,7\noutput 1,2,3", "\nfound 3 numbers; accepted: 2 numbers");
    CHECK_FALSE(ask("forward").refused);
}

TEST_CASE("no answer of a prediction is told before one is given") {
    const std::string request = "predict --input=1,7 --gain=1,0.5 --epsilon=0.00001";
    const Answer before = ask(request);
    CHECK(before.text.find("expected") == std::string::npos);
    CHECK(before.text.find("explanation") == std::string::npos);
    const Answer wrong = ask(request + "\noutput 0.2,0.6");
    CHECK(wrong.text.find("\"status\": \"wrong\"") != std::string::npos);
    CHECK(ask(request + "\noutput 0.2,0.7").text.find("\"status\": \"right\"") !=
          std::string::npos);
}

TEST_CASE("the explorer's page carries the evidence and what it runs") {
    const std::string page = pages::explorer_page(chapter());
    CHECK(page.find("<script type=\"application/json\" id=\"evidence\">") != std::string::npos);
    // How an LZMA file begins in base64: the parameters lc=3, lp=0, pb=0.
    CHECK(page.find("id=\"core\">AwAA") != std::string::npos);
    CHECK(page.find("{{") == std::string::npos);
}

TEST_CASE("the explorer's page carries neither indentation nor comments of its sources") {
    const std::string page = pages::explorer_page(chapter());
    const auto part = [&](std::string_view begin, std::string_view end) {
        const std::size_t from = page.find(begin);
        REQUIRE(from != std::string::npos);
        return page.substr(from, page.find(end, from) - from);
    };
    const std::string style = part("<style>", "</style>");
    const std::string script = part("<script type=\"module\">", "</script>");
    // The first and the last line of each.
    CHECK(style.starts_with("<style>\n:root {\ncolor-scheme: light dark;\n"));
    CHECK(style.ends_with("}\n"));
    CHECK(script.starts_with("<script type=\"module\">\nfunction unpack(packed) {\nconst bytes"));
    CHECK(script.ends_with("\nbegin();\n"));
    CHECK(style.find("/*") == std::string::npos);
    for (const std::string& text : {style, script}) {
        CHECK(text.find("\n ") == std::string::npos);
        CHECK(text.find("\n\n") == std::string::npos);
        CHECK(text.find("\n//") == std::string::npos);
    }
}
