#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "numeric/bits.hpp"
#include "support/readers.hpp"
#include "support/refusal.hpp"

using namespace rmsnorm;
using cli::parse_list;
using cli::parse_shape;
using rmsnorm::test::elements;
using tensor::Tensor;

namespace {

std::string list_refusal(std::string_view text) {
    return test::refusal([&] { parse_list("--input", text); });
}

std::string shape_refusal(std::string_view text) {
    return test::refusal([&] { parse_shape("--shape", text); });
}

constexpr const char* number = "; accepted: a finite decimal number such as 1.5 or -2e-3";

}  // namespace

TEST_CASE("a list holds its numbers in order, with a shape of one axis") {
    const Tensor values = parse_list("--input", "3,-4.5,+2e-3");
    CHECK(values.shape() == tensor::Shape{3});
    CHECK(elements(values) == std::vector<double>{3, -4.5, 0.002});
}

TEST_CASE("one number is a list, and spaces around numbers do not matter") {
    CHECK(elements(parse_list("--input", "7")) == std::vector<double>{7});
    CHECK(elements(parse_list("--input", " 3 ,\t4 ")) == std::vector<double>{3, 4});
}

TEST_CASE("spaces separate the numbers of a list without commas") {
    CHECK(elements(parse_list("--input", "3 4")) == std::vector<double>{3, 4});
    CHECK(elements(parse_list("--input", "  3\t 4  5 ")) == std::vector<double>{3, 4, 5});
    CHECK(parse_shape("--shape", "[2 8]") == tensor::Shape{2, 8});
    CHECK(list_refusal("3  x") ==
          "--input: element 2 (column 4): found \"x\"" + std::string(number));
    CHECK(list_refusal("0,5 1,5") ==
          "--input: element 2 (column 3): found \"5 1\"" + std::string(number));
}

TEST_CASE("a number that is not zero and would become it is refused in a list") {
    CHECK(list_refusal("1,-1e-999") ==
          "--input: element 2 (column 3): found \"-1e-999\", which is too small for binary64 and "
          "would be zero; accepted: 0 itself or a magnitude from 5e-324");
}

TEST_CASE("an empty list is a tensor without rows where such tensors are allowed") {
    const cli::Limits limits{.empty_allowed = true};
    CHECK(parse_list("--input", " ", limits).shape() == tensor::Shape{0});
    CHECK(parse_shape("--shape", "2,0,3") == tensor::Shape{2, 0, 3});
}

TEST_CASE("decimal text becomes the nearest binary64, ties to even, whatever its length") {
    // 2^53 + 1 lies halfway between 2^53 and 2^53 + 2; the digit far behind decides upwards.
    const Tensor values = parse_list(
        "--input", "9007199254740993,9007199254740993.00000000000000000000000000000001,-0,0e-999");
    CHECK(values[0] == 9007199254740992.0);
    CHECK(values[1] == 9007199254740994.0);
    CHECK(numeric::same_bits(values[2], -0.0));
    CHECK(numeric::same_bits(values[3], 0.0));
}

TEST_CASE("what is no finite decimal number is refused with its element and column") {
    CHECK(list_refusal("3,nan") ==
          "--input: element 2 (column 3): found \"nan\"" + std::string(number));
    CHECK(list_refusal("inf") ==
          "--input: element 1 (column 1): found \"inf\"" + std::string(number));
    CHECK(list_refusal("1,  -Infinity") ==
          "--input: element 2 (column 5): found \"-Infinity\"" + std::string(number));
    CHECK(list_refusal("3;4") ==
          "--input: element 1 (column 1): found \"3;4\"" + std::string(number));
    CHECK(list_refusal("0x10") ==
          "--input: element 1 (column 1): found \"0x10\"" + std::string(number));
    CHECK(list_refusal("1_000") ==
          "--input: element 1 (column 1): found \"1_000\"" + std::string(number));
    CHECK(list_refusal("1'000") ==
          "--input: element 1 (column 1): found \"1'000\"" + std::string(number));
    CHECK(list_refusal("1e") ==
          "--input: element 1 (column 1): found \"1e\"" + std::string(number));
    CHECK(list_refusal("--1") ==
          "--input: element 1 (column 1): found \"--1\"" + std::string(number));
    CHECK(list_refusal("0x1p3") ==
          "--input: element 1 (column 1): found \"0x1p3\"" + std::string(number));
}

TEST_CASE("zeros that a thousands separator leaves behind are refused, and no other zeros") {
    constexpr const char* accepted =
        "; accepted: numbers without zeros in front of them; a comma ends a number and separates "
        "no "
        "thousands, so that a thousand is 1000";
    CHECK(list_refusal("1,000") ==
          std::string("--input: element 2 (column 3): found \"000\"") + accepted);
    for (const char* token : {"00", "01", "-007", "+012", "00.5", "00e1"}) {
        CAPTURE(token);
        CHECK(list_refusal(std::string("2, ") + token) ==
              std::string("--input: element 2 (column 4): found \"") + token + "\"" + accepted);
    }
    CHECK(elements(parse_list("--input", "0,-0,0.5,0e5,1e-05,100,.0")) ==
          std::vector<double>{0, 0, 0.5, 0, 1e-5, 100, 0});
    CHECK(shape_refusal("1,024") ==
          std::string("--shape: element 2 (column 3): found \"024\"") + accepted);
}

TEST_CASE("a shape may stand in brackets, with the same columns") {
    CHECK(parse_shape("--shape", "[2, 8]") == tensor::Shape{2, 8});
    CHECK(parse_shape("--shape", " [3] ") == tensor::Shape{3});
    CHECK(shape_refusal("[2, x]").starts_with("--shape: element 2 (column 5): found \"x\""));
    CHECK(shape_refusal("[]") == shape_refusal(""));
    for (const char* text : {"[2,8", "2,8]", "[[2,8]]", "["}) CHECK(shape_refusal(text) != "");
}

TEST_CASE("messages keep what a reader can see and escape what acts on a terminal or hides") {
    for (const char* shown : {"\u22123", "\u00e9", "\u4e00", "\U0001f600", "a b"}) {
        CHECK(cli::printable(shown) == shown);
    }
    for (const auto& [text, escaped] : std::vector<std::pair<std::string, std::string>>{
             {"\u009b31m", "\\xc2\\x9b31m"},       // a terminal's control sequence
             {"\u00a0", "\\xc2\\xa0"},             // a space that is none
             {"\u200b", "\\xe2\\x80\\x8b"},        // no width
             {"\u202e", "\\xe2\\x80\\xae"},        // turns the text around
             {"\u2028", "\\xe2\\x80\\xa8"},        // a line end
             {"\xc3", "\\xc3"},                    // cut short
             {"\xc0\xaf", "\\xc0\\xaf"},           // longer than need be
             {"\xed\xa0\x80", "\\xed\\xa0\\x80"},  // a surrogate
             {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
             {"\xe2\x88X", "\\xe2\\x88X"}}) {
        CHECK(cli::printable(text) == escaped);
        CHECK(cli::printable(escaped) == escaped);
    }
    // Forty bytes end within the twentieth sign of two bytes: it goes as a whole.
    std::string signs = "x";
    for (int i = 0; i < 30; ++i) signs += "\u00e9";
    CHECK(cli::quoted(signs) == "\"" + signs.substr(0, 39) + "...\"");
}

TEST_CASE("a number past the largest binary64 is refused as too large") {
    CHECK(list_refusal("1,1e999") ==
          "--input: element 2 (column 3): found \"1e999\"; accepted: a magnitude of at most "
          "1.7976931348623157e308");
    // 2^1024 - 2^970 = 1.797693134862315807937...e308 lies halfway between the largest number and
    // 2^1024: from there on a number is too large.
    CHECK(list_refusal("179769313486231580794e288") != "");
    CHECK(parse_list("--input", "179769313486231580793e288")[0] ==
          std::numeric_limits<double>::max());
}

TEST_CASE("an empty list and an empty element are refused") {
    CHECK(list_refusal("") ==
          "--input: found an empty list; accepted: at least one number, such as 3,4");
    CHECK(list_refusal("  ") == list_refusal(""));
    CHECK(list_refusal("3,4,") ==
          "--input: element 3 (column 5): found nothing after the last comma; accepted: numbers "
          "with one comma between them, such as 3,4");
    CHECK(list_refusal("3,,4") ==
          "--input: element 2 (column 3): found nothing before a comma; accepted: numbers with one "
          "comma between them, such as 3,4");
    CHECK(list_refusal(",3").starts_with("--input: element 1 (column 1): found nothing before"));
}

TEST_CASE("a message is one printable line with long text cut") {
    CHECK(list_refusal(std::string("\x1b[31m\n\xff")) ==
          "--input: element 1 (column 1): found \"\\x1b[31m\\n\\xff\"" + std::string(number) +
              ", all of it ASCII (the minus sign is the hyphen)");
    CHECK(list_refusal(std::string(5000, 'x')) ==
          "--input: element 1 (column 1): found \"" + std::string(40, 'x') + "...\"" + number);
}

TEST_CASE("a list of more elements than the limit is refused at the first too many") {
    cli::Limits limits;
    limits.max_elements = 2;
    CHECK(parse_list("--input", "1,2", limits).size() == 2);
    CHECK(test::refusal([&] { parse_list("--input", "1,2,3", limits); }) ==
          "--input: element 3 (column 5): found more than 2 values; accepted: at most 2 values "
          "(--max-elements sets the limit)");
}

TEST_CASE("a shape is whole numbers") {
    CHECK(parse_shape("--shape", "2, 8") == tensor::Shape{2, 8});
    for (const char* axis : {"-1", "2.0", "1e3", "x", "0x2", "+2", "99999999999999999999"}) {
        CAPTURE(axis);
        CHECK(shape_refusal(std::string("2,") + axis) ==
              std::string("--shape: element 2 (column 3): found \"") + axis +
                  "\"; accepted: a whole number such as 8");
    }
    CHECK(shape_refusal("") ==
          "--shape: found an empty list; accepted: at least one number, such as 2,8");
    CHECK(shape_refusal("2,").find("nothing after the last comma") != std::string::npos);
}

TEST_CASE("a shape whose product overflows is refused") {
    const std::string half = std::to_string(std::size_t{1} << (4 * sizeof(std::size_t)));
    CHECK(shape_refusal(half + "," + half) ==
          "--shape: element 2 (column " + std::to_string(half.size() + 2) + "): found the shape [" +
              half + ", " + half + "]; accepted: a shape whose product can be counted");
}

TEST_CASE("a shape has at most 64 axes") {
    std::string axes = "1";
    for (int axis = 1; axis < 64; ++axis) axes += ",1";
    CHECK(parse_shape("--shape", axes).size() == 64);
    CHECK(shape_refusal(axes + ",1").find("accepted: at most 64 axes") != std::string::npos);
}
