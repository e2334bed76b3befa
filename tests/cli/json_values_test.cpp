#include "cli/values/json_values.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "numeric/bits.hpp"
#include "support/refusal.hpp"

using namespace rmsnorm;
using namespace std::string_literals;
using cli::Case;
using cli::parse_case;
using cli::parse_json;
using cli::Values;
using Shape = std::vector<std::size_t>;

namespace {

std::string json_refusal(std::string_view text) {
    return test::refusal([&] { parse_json("--input @x.json", text); });
}

std::string case_refusal(std::string_view text) {
    return test::refusal([&] { parse_case("--case c.json", text); });
}

// Where the text is refused and what is found there.
void check_refusal(std::string_view text, const std::string& place_and_found) {
    CAPTURE(text);
    const std::string message = json_refusal(text);
    CAPTURE(message);
    CHECK(message.starts_with("--input @x.json: " + place_and_found + "; accepted: "));
}

std::string repeated(const char* text, std::size_t times) {
    std::string result;
    for (std::size_t time = 0; time < times; ++time) result += text;
    return result;
}

}  // namespace

TEST_CASE("a nested array of numbers gives shape and elements in row-major order") {
    const Values flat = parse_json("x", "[3, 4]");
    CHECK(flat.shape == Shape{2});
    CHECK(flat.elements == std::vector<double>{3, 4});
    const Values nested = parse_json("x", " [[[1],[2],[3]],\n[[4],[5],[6e0]]]\n");
    CHECK(nested.shape == Shape{2, 3, 1});
    CHECK(nested.elements == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("an object holds a shape and values, flat or nested, in any order") {
    for (const char* text : {R"({"shape": [2, 2], "values": [1, 2, 3, 4]})",
                             R"({"values": [1,2,3,4], "shape": [2,2]})",
                             R"({"shape": [2, 2], "values": [[1, 2], [3, 4]]})"}) {
        CAPTURE(text);
        const Values values = parse_json("x", text);
        CHECK(values.shape == Shape{2, 2});
        CHECK(values.elements == std::vector<double>{1, 2, 3, 4});
    }
}

TEST_CASE("each JSON number becomes the nearest binary64") {
    const Values values = parse_json(
        "x",
        "[0.1, -0, -0.0, 0, 9007199254740993, 18446744073709551615, 18446744073709551616, "
        "-9223372036854775809, 9007199254740993.0000000000000000000000000001, 4.9e-324, 1e-999]");
    const auto hex = [&](std::size_t index) { return numeric::hex(values.elements[index]); };
    CHECK(hex(0) == "3fb999999999999a");
    CHECK(hex(1) == "8000000000000000");
    CHECK(hex(2) == "8000000000000000");
    CHECK(hex(3) == "0000000000000000");
    CHECK(values.elements[4] == 0x1p53);  // halfway, to even
    CHECK(values.elements[5] == 0x1p64);  // 2^64 - 1 is nearest to 2^64
    CHECK(values.elements[6] == 0x1p64);
    CHECK(values.elements[7] == -0x1p63);
    CHECK(values.elements[8] == 0x1p53 + 2);  // just over halfway
    CHECK(hex(9) == "0000000000000001");
    CHECK(hex(10) == "0000000000000000");
}

TEST_CASE("numbers that JSON does not have are refused whole, with line and column") {
    check_refusal("[1,\n  nan]", "line 2, column 3: found \"nan\"");
    check_refusal("[NaN]", "line 1, column 2: found \"NaN\"");
    check_refusal("[1, -Infinity]", "line 1, column 5: found \"-Infinity\"");
    check_refusal("[1, 0x10]", "line 1, column 5: found \"0x10\"");
    check_refusal("[1_000]", "line 1, column 2: found \"1_000\"");
    check_refusal("[1'000]", "line 1, column 2: found \"1'000\"");
    check_refusal("[01]", "line 1, column 2: found \"01\"");
    check_refusal("[+1]", "line 1, column 2: found \"+1\"");
    check_refusal("[1.]", "line 1, column 2: found \"1.\"");
    check_refusal("[-]", "line 1, column 2: found \"-\"");
    check_refusal("[3;4]", "line 1, column 3: found \";\"");
    check_refusal("[3 4]", "line 1, column 4: found \"4\"");
}

TEST_CASE("a JSON number past the largest binary64 is refused as too large") {
    const std::string accepted = "; accepted: a magnitude of at most 1.7976931348623157e308";
    CHECK(json_refusal("[1, 1e999]") ==
          "--input @x.json: line 1, column 5: found \"1e999\"" + accepted);
    CHECK(json_refusal("[[-1" + std::string(400, '0') + "]]") ==
          "--input @x.json: line 1, column 3: found \"-1" + std::string(38, '0') + "...\"" +
              accepted);
}

TEST_CASE("members that are no numbers are refused") {
    check_refusal("[1, \"abc\"]", "line 1, column 5: found the string \"abc\"");
    check_refusal("[null]", "line 1, column 2: found \"null\"");
    check_refusal("[1,true]", "line 1, column 4: found \"true\"");
    check_refusal("[1, {\"a\": 1}]", "line 1, column 5: found \"{\"");
    check_refusal("[\"\x1b[1m\n\"]", "line 1, column 2: found the string \"\\x1b[1m\\n\"");
    check_refusal("{\"shape\": [1], \"values\": 3}", "line 1, column 26: found \"3\"");
    check_refusal("{\"shape\": [1], \"values\": [\"3\"]}",
                  "line 1, column 27: found the string \"3\"");
}

TEST_CASE("ragged arrays are refused where they differ") {
    check_refusal("[[1, 2], [3]]", "line 1, column 12: found an array of 1 members");
    check_refusal("[[1, 2],\n [3, 4, 5]]", "line 2, column 10: found an array of 3 members");
    check_refusal("[1, [2]]", "line 1, column 5: found an array where the others have a number");
    check_refusal("[[1], 2]", "line 1, column 7: found a number where the others have an array");
    check_refusal("[[[1]], [2]]",
                  "line 1, column 10: found a number where the others have an array");
    check_refusal("[[[1], [2]], [[3]]]", "line 1, column 18: found an array of 1 members");
}

TEST_CASE("empty arrays are refused") {
    check_refusal("[]", "line 1, column 2: found an empty array");
    check_refusal("[[], []]", "line 1, column 3: found an empty array");
    check_refusal("{\"shape\": [], \"values\": [1]}", "line 1, column 12: found an empty array");
}

TEST_CASE("a text that is not one JSON value is refused where it breaks") {
    check_refusal("[1,]", "line 1, column 4: found \"]\"");
    check_refusal("[,1]", "line 1, column 2: found \",\"");
    check_refusal("[1,,2]", "line 1, column 4: found \",\"");
    check_refusal("[1, 2", "line 1, column 6: found the end of the text");
    check_refusal("[1, ", "line 1, column 5: found the end of the text");
    check_refusal("[[1, 2]", "line 1, column 8: found the end of the text");
    check_refusal("", "line 1, column 1: found the end of the text");
    check_refusal("[1] [2]", "line 1, column 5: found \"[\"");
    check_refusal("[1]]", "line 1, column 4: found \"]\"");
    check_refusal("[1]\n\nx", "line 3, column 1: found \"x\"");
    check_refusal("[1] // note", "line 1, column 5: found \"/\"");
    check_refusal("[1}", "line 1, column 3: found \"}\"");
    check_refusal("[1]\0[2]"s, "line 1, column 4: found \"\\x00\"");
    check_refusal("{\"shape\" [1]}", "line 1, column 10: found \"[\"");
    check_refusal("5", "line 1, column 1: found \"5\"");
}

TEST_CASE("keys are the known ones, each once, and all that a value needs") {
    check_refusal("{\"shape\": [1], \"values\": [1], \"shape\": [1]}",
                  "line 1, column 31: found the string \"shape\"");
    check_refusal("{\"shape\": [1],\n \"data\": [1]}",
                  "line 2, column 2: found the string \"data\"");
    check_refusal("{\"input\": [1]}", "line 1, column 2: found the string \"input\"");
    check_refusal("{\"values\": [1]}", "line 1, column 1: found an object without \"shape\"");
    check_refusal("{\"shape\": [1]}", "line 1, column 1: found an object without \"values\"");
    check_refusal("{}", "line 1, column 1: found an object without \"values\"");
    CHECK(json_refusal("{\"shape\": [1], \"shape\": [1]}").ends_with("; accepted: each key once"));
}

TEST_CASE("a shape in JSON is whole numbers from one whose product is the number of values") {
    const auto shape = [](const std::string& axes) {
        return "{\"shape\": [" + axes + "], \"values\": [1, 2, 3, 4]}";
    };
    for (const char* axis : {"0", "-2", "2.0", "2.5", "-0", "\"2\"", "[2]", "null"}) {
        CAPTURE(axis);
        CHECK(
            json_refusal(shape("2, "s + axis)).starts_with("--input @x.json: line 1, column 15:"));
    }
    check_refusal(shape("2, 3"), "line 1, column 29: found 4 values");
    check_refusal("{\"shape\": [4], \"values\": [[1, 2], [3, 4]]}",
                  "line 1, column 26: found an array of shape [2, 2]");
    const std::string half = std::to_string(std::size_t{1} << (4 * sizeof(std::size_t)));
    CHECK(json_refusal(shape(half + ", " + half))
              .ends_with("found the shape [" + half + ", " + half +
                         "]; accepted: a shape whose product can be counted"));
    CHECK(json_refusal(shape("18446744073709551616")).find("\"18446744073709551616\"") !=
          std::string::npos);
}

TEST_CASE("arrays nest 64 deep and no deeper, however deep the text is") {
    CHECK(parse_json("x", repeated("[", 64) + "7" + repeated("]", 64)).shape == Shape(64, 1));
    const std::string found = "line 1, column 65: found arrays nested more than 64 deep";
    check_refusal(repeated("[", 65) + "7" + repeated("]", 65), found);
    check_refusal(repeated("[", 100000), found);
    check_refusal(repeated("[", 100000) + repeated("]", 100000), found);
    check_refusal(repeated("{\"shape\":", 100000), "line 1, column 10: found \"{\"");
}

TEST_CASE("JSON with a byte-order mark or in UTF-16 is refused by name") {
    const std::string accepted = "; accepted: UTF-8 text without a byte-order mark";
    CHECK(json_refusal("\xef\xbb\xbf[1]") ==
          "--input @x.json: byte 1: found a UTF-8 byte-order mark" + accepted);
    CHECK(json_refusal("\xff\xfe[\0"s) == "--input @x.json: byte 1: found UTF-16 text" + accepted);
    CHECK(json_refusal("[\0\x31\0]\0"s) == "--input @x.json: byte 1: found UTF-16 text" + accepted);
}

TEST_CASE("JSON of more values than the limit is refused at the first too many") {
    cli::Limits limits;
    limits.max_elements = 3;
    CHECK(parse_json("x", "[1,2,3]", limits).elements.size() == 3);
    CHECK(test::refusal([&] { parse_json("x", "[[1, 2],\n [3, 4]]", limits); }) ==
          "x: line 2, column 6: found more than 3 values; accepted: at most 3 values "
          "(--max-elements sets the limit)");
}

TEST_CASE("a case has any of its keys") {
    const Case whole =
        parse_case("x", R"({"shape": [2, 2], "input": [3, 4, 1, 2], "gain": [1.5, -0.5],
        "upstream": [[0.25, -0.5], [1, 2]], "epsilon": 1e-5})");
    CHECK(whole.shape == Shape{2, 2});
    REQUIRE(whole.input.has_value());
    CHECK(whole.input->shape == Shape{2, 2});
    CHECK(whole.input->elements == std::vector<double>{3, 4, 1, 2});
    REQUIRE(whole.gain.has_value());
    CHECK(whole.gain->shape == Shape{2});
    CHECK(whole.gain->elements == std::vector<double>{1.5, -0.5});
    REQUIRE(whole.upstream.has_value());
    CHECK(whole.upstream->shape == Shape{2, 2});
    CHECK(whole.upstream->elements == std::vector<double>{0.25, -0.5, 1, 2});
    CHECK(whole.epsilon == 1e-5);

    const Case nothing = parse_case("x", "{}");
    CHECK_FALSE(nothing.shape.has_value());
    CHECK_FALSE(nothing.input.has_value());
    CHECK_FALSE(nothing.gain.has_value());
    CHECK_FALSE(nothing.upstream.has_value());
    CHECK_FALSE(nothing.epsilon.has_value());
    CHECK(parse_case("x", "{\"epsilon\": 0}").epsilon == 0.0);
}

TEST_CASE("in a case without a shape a flat upstream takes the input's") {
    const Case nested = parse_case("x", R"({"upstream": [1, 2, 3, 4], "input": [[1, 2], [3, 4]]})");
    CHECK(nested.upstream->shape == Shape{2, 2});
    // With another count it stays as it is, for the layer to judge.
    CHECK(parse_case("x", R"({"upstream": [1, 2], "input": [[1], [3], [4]]})").upstream->shape ==
          Shape{2});
}

TEST_CASE("a case that does not fit is refused with its place") {
    CHECK(case_refusal("[1]") ==
          "--case c.json: line 1, column 1: found \"[\"; accepted: an object with any of the keys "
          "\"shape\", \"input\", \"gain\", \"upstream\" and \"epsilon\"");
    CHECK(case_refusal("{\"shape\": [3],\n \"input\": [1, 2]}") ==
          "--case c.json: line 2, column 11: found 2 values; accepted: values for the shape [3]");
    CHECK(case_refusal("{\"shape\": [2],\n \"upstream\": [1, 2, 3]}") ==
          "--case c.json: line 2, column 14: found 3 values; accepted: values for the shape [2]");
    CHECK(case_refusal("{\"shape\": [4], \"input\": [[1, 2], [3, 4]]}") ==
          "--case c.json: line 1, column 25: found an array of shape [2, 2]; accepted: values for "
          "the shape [4]");
    CHECK(
        case_refusal("{\"epsilon\": \"small\"}") ==
        "--case c.json: line 1, column 13: found the string \"small\"; accepted: a finite decimal "
        "number such as 1.5 or -2e-3");
    CHECK(case_refusal("{\"epsilon\": 1e999}") ==
          "--case c.json: line 1, column 13: found \"1e999\"; accepted: a magnitude of at most "
          "1.7976931348623157e308");
    CHECK(case_refusal("{\"epsilon\": [1]}").find("column 13: found \"[\"") != std::string::npos);
    CHECK(case_refusal("{\"epsilon\": 1, \"epsilon\": 2}").ends_with("accepted: each key once"));
    CHECK(case_refusal("{\"values\": [1]}").find("found the string \"values\"") !=
          std::string::npos);
    CHECK(case_refusal("{\"gain\": [1, null]}").find("column 14: found \"null\"") !=
          std::string::npos);
    CHECK(case_refusal("{\"gain\": [1]").find("found the end of the text") != std::string::npos);
}
