#include "cli/input/json.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "numeric/bits.hpp"
#include "support/readers.hpp"
#include "support/refusal.hpp"

using namespace rmsnorm;
using namespace std::string_literals;
using rmsnorm::test::elements;
using rmsnorm::test::json_tensor;
using tensor::Tensor;
using Shape = std::vector<std::size_t>;

namespace {

std::string json_refusal(std::string_view text) {
    return test::refusal([&] { json_tensor("--input @x.json", text); });
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
    const Tensor flat = json_tensor("x", "[3, 4]");
    CHECK(flat.shape() == Shape{2});
    CHECK(elements(flat) == std::vector<double>{3, 4});
    const Tensor nested = json_tensor("x", " [[[1],[2],[3]],\n[[4],[5],[6e0]]]\n");
    CHECK(nested.shape() == Shape{2, 3, 1});
    CHECK(elements(nested) == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("an object holds a shape and values, flat or nested, in any order") {
    for (const char* text : {R"({"shape": [2, 2], "values": [1, 2, 3, 4]})",
                             R"({"values": [1,2,3,4], "shape": [2,2]})",
                             R"({"shape": [2, 2], "values": [[1, 2], [3, 4]]})"}) {
        CAPTURE(text);
        const Tensor values = json_tensor("x", text);
        CHECK(values.shape() == Shape{2, 2});
        CHECK(elements(values) == std::vector<double>{1, 2, 3, 4});
    }
}

TEST_CASE("each JSON number becomes the nearest binary64") {
    const Tensor values = json_tensor(
        "x",
        "[0.1, -0, -0.0, 0, 9007199254740993, 18446744073709551615, 18446744073709551616, "
        "-9223372036854775809, 9007199254740993.0000000000000000000000000001, 4.9e-324, 0e-999]");
    const auto hex = [&](std::size_t index) { return numeric::hex(values[index]); };
    CHECK(hex(0) == "3fb999999999999a");
    CHECK(hex(1) == "8000000000000000");
    CHECK(hex(2) == "8000000000000000");
    CHECK(hex(3) == "0000000000000000");
    CHECK(values[4] == 0x1p53);  // halfway, to even
    CHECK(values[5] == 0x1p64);  // 2^64 - 1 is nearest to 2^64
    CHECK(values[6] == 0x1p64);
    CHECK(values[7] == -0x1p63);
    CHECK(values[8] == 0x1p53 + 2);  // just over halfway
    CHECK(hex(9) == "0000000000000001");
    CHECK(hex(10) == "0000000000000000");
}

TEST_CASE("a JSON number that is not zero and would become it is refused") {
    CHECK(json_refusal("[1,\n -1e-999]") ==
          "--input @x.json: line 2, column 2: found \"-1e-999\", which is too small for binary64 "
          "and would be zero; accepted: 0 itself or a magnitude from 5e-324");
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
    check_refusal("[1, \"abc\"]", "/1 (line 1): found the string \"abc\"");
    check_refusal("[null]", "/0 (line 1): found null");
    check_refusal("[1,\n[true]]", "/1 (line 2): found an array where the others have a number");
    check_refusal("[[1],\n[true]]", "/1/0 (line 2): found true");
    check_refusal("[1, {\"a\": 1}]", "/1 (line 1): found an object");
    check_refusal("[\"\x1b[1m\n\"]", "line 1, column 2: found the string \"\\x1b[1m\\n\"");
    check_refusal("[\"\\u001b[1m\"]", "/0 (line 1): found the string \"\\x1b[1m\"");
    check_refusal("{\"shape\": [1], \"values\": 3}", "/values (line 1): found 3");
    check_refusal("{\"shape\": [1], \"values\": [\"3\"]}",
                  "/values/0 (line 1): found the string \"3\"");
    check_refusal("\n5", "line 2: found 5");
    check_refusal("null", "line 1: found null");
}

TEST_CASE("ragged arrays are refused where they differ") {
    check_refusal("[[1, 2], [3]]", "/1 (line 1): found an array of 1 member");
    check_refusal("[[1, 2],\n [3, 4, 5]]", "/1 (line 2): found an array of 3 members");
    check_refusal("[1, [2]]", "/1 (line 1): found an array where the others have a number");
    check_refusal("[[1], 2]", "/1 (line 1): found a number where the others have an array");
    check_refusal("[[[1]], [2]]", "/1/0 (line 1): found a number where the others have an array");
    check_refusal("[[[1], [2]], [[3]]]", "/1 (line 1): found an array of 1 member");
}

TEST_CASE("empty arrays are refused") {
    check_refusal("[]", "line 1: found an empty array");
    check_refusal("[[], []]", "/0 (line 1): found an empty array");
    check_refusal("{\"shape\": [0, 3], \"values\": []}", "/values (line 1): found an empty array");
}

TEST_CASE("a tensor without rows is one where such tensors are allowed") {
    const cli::Limits limits{.empty_allowed = true};
    const auto shape = [&](const char* text) { return json_tensor("x", text, limits).shape(); };
    CHECK(shape("{\"shape\": [2, 0, 3], \"values\": [], \"bits\": []}") == Shape{2, 0, 3});
    CHECK(shape("{\"shape\": [2, 0], \"values\": [[], []]}") == Shape{2, 0});
    CHECK(shape("[]") == Shape{0});
    CHECK(shape("[[], []]") == Shape{2, 0});
    for (const char* text :
         {"[[], [1]]", "[[1], []]", "[[], [[]]]", "[[], 1]", "{\"shape\": [0, 3], \"values\": [1]}",
          "{\"shape\": [1], \"values\": []}"}) {
        CAPTURE(text);
        CHECK(test::refusal([&] { shape(text); }) != "");
    }
}

TEST_CASE("a tensor is read as documents write it, and where its bits are others it is not") {
    const auto document = [](const std::string& values, const std::string& bits) {
        return "{\"shape\": [2],\n\"values\": [" + values +
               "],\n\"display\": [\"?\", null],\n\"bits\": [" + bits + "]}";
    };
    const Tensor read =
        json_tensor("x", document("3.0, -0.0", R"("4008000000000000", "8000000000000000")"));
    CHECK(read.shape() == Shape{2});
    CHECK(numeric::hex(read[0]) == "4008000000000000");
    CHECK(numeric::hex(read[1]) == "8000000000000000");
    // 0.1 in binary32 is its nearest number, which is what the bits say.
    CHECK(json_tensor("x", document("3, 0.1", R"("40400000", "3dcccccd")"))[1] == double{0.1F});
    CHECK(json_refusal(document("3, 0.1", R"("4008000000000000", "3fb999999999999b")")) ==
          "--input @x.json: /bits/1 (line 4): found the bits 3fb999999999999b "
          "(0.10000000000000002) of the value 0.1; accepted: bits that are the value's own: "
          "3fb999999999999a");
    CHECK(json_refusal(document("0, 0", R"("0000000000000000", "8000000000000000")"))
              .find("/bits/1 (line 4)") != std::string::npos);
    for (const char* bits :
         {R"("4008000000000000")", R"("4008000000000000", 4)", "",
          R"("4008000000000000", "4010000000000000", "0000000000000000")",
          R"("4008000000000000", "401000000000000")", R"("4008000000000000", "+010000000000000")",
          R"("40400000", "7f800000")"}) {
        CAPTURE(bits);
        const std::string message = json_refusal(document("3, 4", bits));
        CHECK(message.starts_with("--input @x.json: /bits"));
    }
    CHECK(json_refusal("{\"shape\": [1], \"values\": [1e300], \"bits\": [\"7f800000\"]}") != "");
}

TEST_CASE("a tensor of which a document shows only the first values is refused") {
    CHECK(json_refusal(R"({"shape": [100], "truncated": true, "values": [1, 2]})") ==
          "--input @x.json: line 1: found a tensor of which only the first values were written; "
          "accepted: a whole tensor, as --full writes it");
    CHECK(json_tensor("x", R"({"shape": [1], "truncated": false, "values": [7]})")[0] == 7);
    CHECK(json_tensor("x", R"({"shape": [1], "values": [7], "error_ulp": [0.0],
                               "certified": [true]})")[0] == 7);
}

TEST_CASE("a number is one, or a document's object around it") {
    const auto number = [](const char* text) { return cli::number_of(test::json("x", text)); };
    CHECK(number("-0.5") == -0.5);
    CHECK(number(R"({"value": 0.1, "display": "0.1000", "bits": "3fb999999999999a"})") == 0.1);
    CHECK(number(R"({"value": 1e-5, "bits": "3727c5ac"})") == double{1e-5F});
    CHECK(number(R"({"value": 2, "error_ulp": 0.44, "certified": true})") == 2);
    for (const char* text : {"\"1\"", "[1]", "{}", R"({"value": "1"})", R"({"number": 1})",
                             R"({"value": 0.1, "bits": "3fb9999999999999"})"}) {
        CAPTURE(text);
        CHECK(test::refusal([&] { number(text); }) != "");
    }
}

TEST_CASE("whole numbers are exact, up to the largest of 64 bits") {
    const auto whole = [](const char* text) {
        return cli::whole_of(test::json("x", text), 1, ~std::uint64_t{0});
    };
    CHECK(whole("18446744073709551615") == 18446744073709551615U);
    for (const char* text : {"0", "-1", "1.0", "1e3", "18446744073709551616", "\"1\""}) {
        CAPTURE(text);
        CHECK(test::refusal([&] { whole(text); }) != "");
    }
}

TEST_CASE("a place is a JSON Pointer and a line, whatever the keys are") {
    const cli::JsonNode root = test::json("x", R"({"a/b": [0,
        {"~": {"": [true, null]},
         "next": "\u001b"}]})");
    CHECK(root.where() == "line 1");
    const cli::JsonNode object = *root.find("a/b")->first()->next();
    CHECK(object.where() == "/a~1b/1 (line 2)");
    CHECK(object.find("~")->find("")->items().at(1).where() == "/a~1b/1/~0//1 (line 2)");
    CHECK(object.find("next")->where() == "/a~1b/1/next (line 3)");
    CHECK(object.members().size() == 2);
    CHECK(object.members().at(1).key == "next");
    CHECK(object.find("next")->text() == "\x1b");
    CHECK_FALSE(object.find("other").has_value());
    CHECK_FALSE(object.next().has_value());
    const std::string nested = repeated("{\"\u00e9 and a long key of more than 40 bytes\": ", 60) +
                               "0" + repeated("}", 60);
    cli::JsonNode inner = test::json("x", nested);
    while (inner.is(cli::JsonKind::object)) inner = inner.members().at(0).value;
    CHECK(inner.where().size() < 300);
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
}

TEST_CASE("keys are the known ones, each once, and all that a value needs") {
    check_refusal("{\"shape\": [1], \"values\": [1], \"shape\": [1]}",
                  "line 1, column 31: found the key \"shape\" twice");
    check_refusal("{\"shape\": [1],\n \"data\": [1]}",
                  "/data (line 2): found the unknown key \"data\"");
    check_refusal("{\"input\": [1]}", "/input (line 1): found the unknown key \"input\"");
    check_refusal("{\"values\": [1]}", "line 1: found an object without \"shape\"");
    check_refusal("{\"shape\": [1]}", "line 1: found an object without \"values\"");
    check_refusal("{}", "line 1: found an object without \"values\"");
    CHECK(json_refusal("{\"data\": 1}")
              .ends_with("accepted: the keys \"shape\", \"values\", \"display\", \"bits\", "
                         "\"truncated\", \"error_ulp\", \"certified\""));
    CHECK(json_refusal("{\"shape\": [1], \"shape\": [1]}").ends_with("; accepted: each key once"));
}

TEST_CASE("a shape in JSON is whole numbers whose product is the number of values") {
    const auto shape = [](const std::string& axes) {
        return "{\"shape\": [" + axes + "], \"values\": [1, 2, 3, 4]}";
    };
    for (const char* axis : {"-2", "2.0", "2.5", "-0", "\"2\"", "[2]", "null"}) {
        CAPTURE(axis);
        CHECK(
            json_refusal(shape("2, "s + axis)).starts_with("--input @x.json: /shape/1 (line 1):"));
    }
    check_refusal(shape("2, 3"), "/values (line 1): found 4 values");
    check_refusal(shape("2, 0"), "/values (line 1): found 4 values");
    check_refusal("{\"shape\": [4], \"values\": [[1, 2], [3, 4]]}",
                  "/values (line 1): found an array of shape [2, 2]");
    const std::string half = std::to_string(std::size_t{1} << (4 * sizeof(std::size_t)));
    CHECK(json_refusal(shape(half + ", " + half))
              .ends_with("found the shape [" + half + ", " + half +
                         "]; accepted: a shape whose product can be counted"));
    CHECK(json_refusal(shape("18446744073709551616"))
              .find("/shape/0 (line 1): found 1.8446744073709552e19") != std::string::npos);
}

TEST_CASE("arrays nest 64 deep and no deeper, however deep the text is") {
    CHECK(json_tensor("x", repeated("[", 64) + "7" + repeated("]", 64)).shape() == Shape(64, 1));
    CHECK(json_refusal(repeated("[", 65) + "7" + repeated("]", 65))
              .ends_with("/0/0 (line 1): found arrays nested more than 64 deep; accepted: arrays "
                         "nested at most 64 deep"));
    const std::string found = "line 1, column 73: found arrays or objects nested more than 72 deep";
    check_refusal(repeated("[", 100000), found);
    check_refusal(repeated("[", 100000) + repeated("]", 100000), found);
    check_refusal(repeated("{\"shape\":", 100000),
                  "line 1, column 649: found arrays or objects nested more than 72 deep");
}

TEST_CASE("JSON of more values than the limit is refused at the first too many") {
    cli::Limits limits;
    limits.max_elements = 3;
    CHECK(json_tensor("x", "[1,2,3]", limits).size() == 3);
    CHECK(test::refusal([&] { json_tensor("x", "[[1, 2],\n [3, 4]]", limits); }) ==
          "x: /1/1 (line 2): found more than 3 values; accepted: at most 3 values "
          "(--max-elements sets the limit)");
    CHECK(test::refusal([&] {
              cli::parse_json("x", "[1, [2,\n 3], []]", {"JSON", 3, ""});
          }) == "x: line 2, column 7: found more than 3 values; accepted: JSON of at most as many");
}
