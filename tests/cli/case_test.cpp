#include "cli/input/case.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/readers.hpp"
#include "support/refusal.hpp"

using namespace rmsnorm;
using cli::Case;
using rmsnorm::test::elements;
using tensor::Shape;

namespace {

Case read(const char* origin, std::string_view text, const cli::Limits& limits = {}) {
    return cli::case_of(test::json(origin, text, cli::accepted_case), limits);
}

std::string case_refusal(std::string_view text) {
    return test::refusal([&] { read("--case c.json", text); });
}

}  // namespace

TEST_CASE("a case has any of its keys") {
    const Case whole = read("x", R"({"shape": [2, 2], "input": [3, 4, 1, 2], "gain": [1.5, -0.5],
        "upstream": [[0.25, -0.5], [1, 2]], "gain_name": "norm.gain", "epsilon": 1e-5})");
    CHECK(whole.gain_name == "norm.gain");
    CHECK(whole.shape == Shape{2, 2});
    REQUIRE(whole.input.has_value());
    CHECK(whole.input->shape() == Shape{2, 2});
    CHECK(elements(*whole.input) == std::vector<double>{3, 4, 1, 2});
    REQUIRE(whole.gain.has_value());
    CHECK(whole.gain->shape() == Shape{2});
    CHECK(elements(*whole.gain) == std::vector<double>{1.5, -0.5});
    REQUIRE(whole.upstream.has_value());
    CHECK(whole.upstream->shape() == Shape{2, 2});
    CHECK(elements(*whole.upstream) == std::vector<double>{0.25, -0.5, 1, 2});
    CHECK(whole.epsilon == 1e-5);

    const Case nothing = read("x", "{}");
    CHECK_FALSE(nothing.shape.has_value());
    CHECK_FALSE(nothing.input.has_value());
    CHECK_FALSE(nothing.gain.has_value());
    CHECK_FALSE(nothing.upstream.has_value());
    CHECK_FALSE(nothing.epsilon.has_value());
    CHECK(read("x", "{\"epsilon\": 0}").epsilon == 0.0);
}

TEST_CASE("in a case without a shape a flat upstream takes the input's") {
    const Case nested = read("x", R"({"upstream": [1, 2, 3, 4], "input": [[1, 2], [3, 4]]})");
    CHECK(nested.upstream->shape() == Shape{2, 2});
    // With another count it stays as it is, for the layer to judge.
    CHECK(read("x", R"({"upstream": [1, 2], "input": [[1], [3], [4]]})").upstream->shape() ==
          Shape{2});
}

TEST_CASE("a case that does not fit is refused with its place") {
    CHECK(case_refusal("[1]") ==
          "--case c.json: line 1: found an array; accepted: an object with any of the keys "
          "\"shape\", \"input\", \"gain\", \"gain_name\", \"upstream\" and \"epsilon\"");
    CHECK(case_refusal("{\"shape\": [3],\n \"input\": [1, 2]}") ==
          "--case c.json: /input (line 2): found 2 values; accepted: values for the shape [3]");
    CHECK(case_refusal("{\"shape\": [2],\n \"upstream\": [1, 2, 3]}") ==
          "--case c.json: /upstream (line 2): found 3 values; accepted: values for the shape [2]");
    CHECK(case_refusal("{\"shape\": [4], \"input\": [[1, 2], [3, 4]]}") ==
          "--case c.json: /input (line 1): found an array of shape [2, 2]; accepted: values for "
          "the shape [4]");
    CHECK(
        case_refusal("{\"epsilon\": \"small\"}") ==
        "--case c.json: /epsilon (line 1): found the string \"small\"; accepted: a finite decimal "
        "number such as 1.5 or -2e-3");
    CHECK(case_refusal("{\"epsilon\": 1e999}") ==
          "--case c.json: line 1, column 13: found \"1e999\"; accepted: a magnitude of at most "
          "1.7976931348623157e308");
    CHECK(case_refusal("{\"epsilon\": [1]}").find("/epsilon (line 1): found an array") !=
          std::string::npos);
    CHECK(case_refusal("{\"epsilon\": 1, \"epsilon\": 2}").ends_with("accepted: each key once"));
    CHECK(case_refusal("{\"values\": [1]}") ==
          "--case c.json: /values (line 1): found the unknown key \"values\"; accepted: the keys "
          "\"shape\", \"input\", \"gain\", \"gain_name\", \"upstream\", \"epsilon\"");
    CHECK(case_refusal("{\"gain\": [1, null]}").find("/gain/1 (line 1): found null") !=
          std::string::npos);
    CHECK(case_refusal("{\"gain\": [1]").find("found the end of the text") != std::string::npos);
}

TEST_CASE("the inputs of a document are a case") {
    const Case given = read("x", R"({"schema_version": 1, "experiment": "gradcheck",
        "inputs": {"input": {"shape": [1, 2], "values": [3.0, 4.0],
                             "bits": ["4008000000000000", "4010000000000000"]},
                   "gain": {"shape": [2], "values": [1.5, 0.5]}, "gain_name": "norm.gain",
                   "epsilon": {"value": 1e-05, "display": "0.000010", "bits": "3ee4f8b588e368f1"},
                   "samples": 8},
        "checks": []})");
    REQUIRE(given.input.has_value());
    CHECK(given.input->shape() == Shape{1, 2});
    CHECK(elements(*given.gain) == std::vector<double>{1.5, 0.5});
    CHECK(given.gain_name == "norm.gain");
    CHECK(given.epsilon == 1e-5);
    CHECK(case_refusal("{\"inputs\": {\"input\": {\"shape\": [1], \"values\": [3.0], "
                       "\"bits\": [\"4008000000000001\"]}}}")
              .starts_with("--case c.json: /inputs/input/bits/0 (line 1): found the bits"));
    CHECK(case_refusal("{\"inputs\": []}").starts_with("--case c.json: /inputs (line 1)"));
}

TEST_CASE("a case holds rows of no number where they are allowed") {
    const cli::Limits limits{.empty_allowed = true};
    const Case given = read("x", R"({"shape": [0, 3], "input": [], "upstream": []})", limits);
    CHECK(given.input->shape() == Shape{0, 3});
    CHECK(given.upstream->shape() == Shape{0, 3});
    CHECK(case_refusal(R"({"shape": [0, 3], "input": []})").find("found an empty array") !=
          std::string::npos);
}
