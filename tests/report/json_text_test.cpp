#include "report/json_text.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

using rmsnorm::report::JsonText;

namespace {

template <class Value>
std::string alone(const Value& value) {
    JsonText text;
    text.add(value);
    return std::move(text).str();
}

}  // namespace

TEST_CASE("JSON text has the layout of the library that reads it") {
    JsonText text;
    text.open('{');
    text.key("empty");
    text.open('{');
    text.close('}');
    text.key("list");
    text.open('[');
    text.add(std::uint64_t{3});
    text.open('[');
    text.close(']');
    text.open('{');
    text.key("a \"key\"");
    text.add(true);
    text.key("b");
    text.add(std::string_view("c"));
    text.close('}');
    text.add(-0.5);
    text.close(']');
    text.key("last");
    text.add(false);
    text.close('}');
    const nlohmann::ordered_json expected = {
        {"empty", nlohmann::ordered_json::object()},
        {"list", {3, nlohmann::ordered_json::array(), {{"a \"key\"", true}, {"b", "c"}}, -0.5}},
        {"last", false}};
    CHECK(std::move(text).str() == expected.dump(2) + "\n");
}

TEST_CASE("strings and numbers are written as the library writes them") {
    std::string all;
    for (char c = 1; c < 127; ++c) all += c;
    all += '\0';
    all += "\x7f \u00e9 \u2028 \U0001f600";
    CHECK(alone(std::string_view(all)) == nlohmann::json(all).dump() + "\n");
    std::mt19937_64 bits(25);
    for (int i = 0; i < 20'000; ++i) {
        const auto value = std::bit_cast<double>(bits());
        CAPTURE(value);
        REQUIRE(alone(value) == nlohmann::json(value).dump() + "\n");
    }
    for (const double value :
         {0.0, -0.0, 1.0, 1e-5, 1e15, 1e16, 5e-324, std::numeric_limits<double>::max(),
          std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(alone(value) == nlohmann::json(value).dump() + "\n");
    }
    CHECK(alone(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615\n");
}

TEST_CASE("text that is not UTF-8 is no JSON") {
    CHECK_THROWS_AS(alone(std::string_view("a\xff")), std::invalid_argument);
    CHECK_THROWS_AS(alone(std::string_view("\xed\xa0\x80")), std::invalid_argument);
    CHECK_THROWS_AS(alone(std::string_view("\xc3")), std::invalid_argument);
}
