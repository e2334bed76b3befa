// The JSON documents, byte for byte.
#include "report/json.hpp"

#include <doctest/doctest.h>

#include "report/schema.hpp"
#include "report/version.hpp"

using namespace rmsnorm;
using evidence::Precision;
using evidence::Presence;
using evidence::Record;

namespace {

std::string head(const std::string& kind, const std::string& id) {
    return "{\n  \"schema_version\": 1,\n  \"" + kind + "\": \"" + id +
           "\",\n  \"generator\": {\n    \"name\": \"rmsnorm-fixture\",\n    \"version\": \"" +
           std::string(report::program_version()) + "\"\n  }";
}

report::Document fixture(Record results) {
    return {report::DocumentKind::fixture, "f", {}, std::move(results), {}};
}

std::string body(Record results, report::Extent extent = report::Extent::abridged) {
    const std::string text = report::json(fixture(std::move(results)), extent);
    const std::string start = head("fixture", "f") + ",\n";
    REQUIRE(text.substr(0, start.size()) == start);
    return text.substr(start.size());
}

}  // namespace

TEST_CASE("a fixture's document holds its results in the order in which they were added") {
    CHECK(body(Record().add("z", true).add("a", 7U).add("m", "word")) ==
          "  \"z\": true,\n  \"a\": 7,\n  \"m\": \"word\"\n}\n");
}

TEST_CASE("a verdict is true, null or false, and the schema allows each") {
    using evidence::Decision;
    const Record verdicts =
        Record().add("a", Decision::holds).add("b", Decision::undecided).add("c", Decision::fails);
    CHECK(body(verdicts) == "  \"a\": true,\n  \"b\": null,\n  \"c\": false\n}\n");
    const std::string kind =
        "{\n          \"type\": [\n            \"boolean\",\n            \"null\"\n";
    for (const std::string key : {"a", "b", "c"}) {
        CHECK(report::schema({fixture(verdicts)}).find("\"" + key + "\": " + kind) !=
              std::string::npos);
    }
    const evidence::Record changed =
        Record().add("a", Decision::holds).add("b", Decision::fails).add("c", Decision::fails);
    CHECK(evidence::first_difference(verdicts, changed) == "b");
}

TEST_CASE("an experiment's document holds inputs, results and checks, in this order") {
    const report::Document document{report::DocumentKind::experiment,
                                    "e",
                                    Record().add("in", 1U),
                                    Record().add("out", 2U),
                                    {evidence::at_most("n", "s", 0, 0.5)}};
    CHECK(
        report::json(document) ==
        head("experiment", "e") +
            ",\n  \"inputs\": {\n    \"in\": 1\n  },\n  \"out\": 2,\n  \"checks\": [\n    {\n"
            "      \"name\": \"n\",\n      \"statement\": \"s\",\n      \"measure\": {\n"
            "        \"value\": 0.0,\n        \"display\": \"0.000000\",\n"
            "        \"bits\": \"0000000000000000\"\n      },\n      \"bound\": {\n"
            "        \"value\": 0.5,\n        \"display\": \"0.500000\",\n"
            "        \"bits\": \"3fe0000000000000\"\n      },\n      \"passed\": true\n    }\n  ]\n"
            "}\n");
}

TEST_CASE("an experiment without inputs and checks still has both keys") {
    CHECK(report::json({report::DocumentKind::experiment, "e", {}, Record(), {}}) ==
          head("experiment", "e") + ",\n  \"inputs\": {},\n  \"checks\": []\n}\n");
}

TEST_CASE("a scalar has its value, its display and its bits") {
    CHECK(body(Record().add("x", 12.5)) ==
          "  \"x\": {\n    \"value\": 12.5,\n    \"display\": \"12.500000\",\n"
          "    \"bits\": \"4029000000000000\"\n  }\n}\n");
    // -0 keeps its sign in all three.
    CHECK(body(Record().add("x", -0.0)) ==
          "  \"x\": {\n    \"value\": -0.0,\n    \"display\": \"-0.000000\",\n"
          "    \"bits\": \"8000000000000000\"\n  }\n}\n");
}

TEST_CASE("a scalar of binary32 has eight digits of bits and its own decimals") {
    const evidence::Scalar tenth{
        static_cast<double>(0.1F), {4, numeric::Plus::shown}, Precision::binary32};
    // 0.1 in binary32 is 0x3dcccccd, exactly 0.100000001490116119384765625.
    CHECK(body(Record().add("x", tenth)) ==
          "  \"x\": {\n    \"value\": 0.10000000149011612,\n    \"display\": \"+0.1000\",\n"
          "    \"bits\": \"3dcccccd\"\n  }\n}\n");
}

TEST_CASE("a tensor has its shape, its values, their display and their bits") {
    CHECK(body(Record().add("t", tensor::Tensor({1, 2}, {3, 4}))) ==
          "  \"t\": {\n    \"shape\": [\n      1,\n      2\n    ],\n    \"values\": [\n      3.0,\n"
          "      4.0\n    ],\n    \"display\": [\n      \"3.000000\",\n      \"4.000000\"\n    ],\n"
          "    \"bits\": [\n      \"4008000000000000\",\n      \"4010000000000000\"\n    ]\n  "
          "}\n}\n");
    CHECK(
        body(Record().add(
            "t", evidence::TensorFigure{tensor::Tensor::vector({1}), {1}, Precision::binary32})) ==
        "  \"t\": {\n    \"shape\": [\n      1\n    ],\n    \"values\": [\n      1.0\n    ],\n"
        "    \"display\": [\n      \"1.0\"\n    ],\n    \"bits\": [\n      \"3f800000\"\n    ]\n"
        "  }\n}\n");
}

TEST_CASE("an empty tensor and a rank-zero tensor have all keys") {
    CHECK(body(Record().add("t", tensor::Tensor({0, 2}, {}))) ==
          "  \"t\": {\n    \"shape\": [\n      0,\n      2\n    ],\n    \"values\": [],\n"
          "    \"display\": [],\n    \"bits\": []\n  }\n}\n");
    CHECK(body(Record().add("t", tensor::Tensor::scalar(0))).find("\"shape\": [],") !=
          std::string::npos);
}

TEST_CASE("a long tensor is truncated and says so, unless all of it is asked for") {
    const auto values = [](const std::string& text) {
        std::size_t count = 0;
        for (std::size_t at = text.find("\"0000000000000000\""); at != std::string::npos;
             at = text.find("\"0000000000000000\"", at + 1)) {
            ++count;
        }
        return count;
    };
    const auto tensor = [](std::size_t size) {
        return Record().add("t", tensor::Tensor::filled({size}, 0.0));
    };
    const std::string truncated = body(tensor(65));
    CHECK(values(truncated) == 64);
    CHECK(truncated.find("65\n    ],\n    \"truncated\": true,\n    \"values\"") !=
          std::string::npos);
    CHECK(body(tensor(64)).find("truncated") == std::string::npos);
    const std::string full = body(tensor(65), report::Extent::full);
    CHECK(values(full) == 65);
    CHECK(full.find("\"truncated\": false") != std::string::npos);
}

TEST_CASE("an absent field is not written, a present one is") {
    const auto field = [](Presence presence) { return Record().add("x", 1U, presence); };
    CHECK(body(field(Presence::present)) == "  \"x\": 1\n}\n");
    CHECK(report::json(fixture(field(Presence::absent))) == head("fixture", "f") + "\n}\n");
}

TEST_CASE("words are escaped as JSON asks and stay UTF-8") {
    CHECK(body(Record().add("w", "a\"b\\c\n\x01 \xc3\xa9")) ==
          "  \"w\": \"a\\\"b\\\\c\\n\\u0001 \xc3\xa9\"\n}\n");
}

TEST_CASE("values are written with the fewest digits that read back") {
    CHECK(body(Record().add("x", 1e-5)).find("\"value\": 1e-05,") != std::string::npos);
    CHECK(body(Record().add("x", 0x1p-52)).find("\"value\": 2.220446049250313e-16,") !=
          std::string::npos);
}

TEST_CASE("the schema requires what every document has and allows what some have") {
    const std::string schema = report::schema({fixture(
        Record().add("a", 1U).add("p", 1U, Presence::present).add("q", 1U, Presence::absent))});
    CHECK(schema.find("\"required\": [\n        \"schema_version\",\n        \"fixture\",\n"
                      "        \"generator\",\n        \"a\"\n      ]") != std::string::npos);
    CHECK(schema.find("\"p\": {") != std::string::npos);
    CHECK(schema.find("\"q\": {") != std::string::npos);
    CHECK(schema.back() == '\n');
}
