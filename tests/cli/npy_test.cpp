#include "cli/input/npy.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "numeric/bits.hpp"
#include "support/readers.hpp"
#include "support/refusal.hpp"

using namespace rmsnorm;
using namespace std::string_literals;
using cli::NpyHeader;
using rmsnorm::test::npy_tensor;
using tensor::Tensor;
using Shape = std::vector<std::size_t>;

namespace {

// A header as the format's description lays it out, around any dictionary.
std::string file(const std::string& dictionary, const std::string& data = "", char major = 1) {
    std::string text = "\x93NUMPY"s + major + '\0';
    const std::size_t length = dictionary.size();
    const int length_bytes = major == 1 ? 2 : 4;
    for (int byte = 0; byte < length_bytes; ++byte) {
        text += static_cast<char>(length >> (8 * byte) & 0xff);
    }
    return text + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& fortran_order = "False") {
    return "{'descr': " + descr + ", 'fortran_order': " + fortran_order + ", 'shape': " + shape +
           ", }   \n";
}

std::string npy_refusal(const std::string& bytes) {
    return test::refusal([&] { npy_tensor("--input @x.npy", bytes); });
}

// The refusal of a dictionary, without the origin.
std::string header_refusal(const std::string& dictionary) {
    const std::string message = npy_refusal(file(dictionary, std::string(64, '\0')));
    const std::string origin = "--input @x.npy: header, byte ";
    REQUIRE(message.starts_with(origin));
    return message.substr(origin.size());
}

// 1.5 and -2 as little-endian binary64, written out by hand: 3ff8... and c000...
const std::string one_and_a_half = "\0\0\0\0\0\0\xf8\x3f"s;
const std::string minus_two = "\0\0\0\0\0\0\0\xc0"s;

std::string reversed(const std::string& bytes) { return {bytes.rbegin(), bytes.rend()}; }

}  // namespace

TEST_CASE("versions 1.0, 2.0 and 3.0 are read alike") {
    for (const char major : {'\x01', '\x02', '\x03'}) {
        const Tensor values =
            npy_tensor("x", file(dictionary("'<f8'", "(2,)"), one_and_a_half + minus_two, major));
        CHECK(values.shape() == Shape{2});
        CHECK(test::elements(values) == std::vector<double>{1.5, -2});
    }
}

TEST_CASE("the byte order of the file holds, and a missing one is the processor's own") {
    const auto read = [](const std::string& descr, const std::string& data) {
        return npy_tensor("x", file(dictionary(descr, "()"), data))[0];
    };
    CHECK(read("'<f8'", one_and_a_half) == 1.5);
    CHECK(read("'>f8'", reversed(one_and_a_half)) == 1.5);
    CHECK(read("'<f4'", "\0\0\xc0\x3f"s) == 1.5);
    CHECK(read("'>f4'", "\x3f\xc0\0\0"s) == 1.5);
    CHECK(read("'<f2'", "\0\x3e"s) == 1.5);
    CHECK(read("'>f2'", "\x3e\0"s) == 1.5);
    const std::string native =
        std::endian::native == std::endian::little ? one_and_a_half : reversed(one_and_a_half);
    for (const char* descr : {"'=f8'", "'|f8'", "'f8'"}) CHECK(read(descr, native) == 1.5);
}

TEST_CASE("every binary16 number becomes the same number in binary64") {
    const auto decode = [](unsigned pattern) {
        NpyHeader header;
        header.element_size = 2;
        header.byte_order = std::endian::big;
        const std::string bytes = {static_cast<char>(pattern >> 8),
                                   static_cast<char>(pattern & 0xff)};
        double element = 0;
        cli::decode_npy(header, bytes, {&element, 1});
        return element;
    };
    // Positive patterns count the numbers upwards in steps of the last place.
    double expected = 0;
    double step = 0x1p-24;
    for (unsigned pattern = 0; pattern < 0x7c00; ++pattern) {
        if (pattern >= 0x800 && pattern % 0x400 == 0) step *= 2;
        REQUIRE(numeric::same_bits(decode(pattern), expected));
        REQUIRE(numeric::same_bits(decode(pattern | 0x8000), -expected));
        expected += step;
    }
    CHECK(expected == 65536);
    CHECK(decode(0x7c00) == std::numeric_limits<double>::infinity());
    CHECK(decode(0xfc00) == -std::numeric_limits<double>::infinity());
    CHECK(decode(0x7e00) != decode(0x7e00));
}

TEST_CASE("Fortran order comes row-major") {
    std::string data;
    for (const char fraction : {'\xf0', '\xf1', '\xf2', '\xf3', '\xf4', '\xf5'}) {
        data += "\0\0\0\0\0\0"s + fraction + '\x3f';
    }
    // 3ff0 is 1, and each step of f0 adds 1/16. The file has the columns of a [2, 3] one by one.
    const Tensor values = npy_tensor("x", file(dictionary("'<f8'", "(2, 3)", "True"), data));
    CHECK(values.shape() == Shape{2, 3});
    CHECK(test::elements(values) == std::vector<double>{1, 1.125, 1.25, 1.0625, 1.1875, 1.3125});
    CHECK(tensor::same_bits(npy_tensor("x", file(dictionary("'<f8'", "(1, 6)", "True"), data)),
                            npy_tensor("x", file(dictionary("'<f8'", "(1, 6)"), data))));
}

TEST_CASE("row-major is C order, and Fortran order with at most one long axis") {
    NpyHeader header;
    header.shape = {2, 3};
    CHECK(cli::is_row_major(header));
    header.fortran_order = true;
    CHECK_FALSE(cli::is_row_major(header));
    header.shape = {1, 3, 1};
    CHECK(cli::is_row_major(header));
}

TEST_CASE("the dictionary's keys come in any order with any spaces and either quote") {
    const Tensor values =
        npy_tensor("x", file("{ \"shape\":(\t2 ,1,) ,'fortran_order' :False,\n\"descr\":'<f8'}",
                             one_and_a_half + minus_two));
    CHECK(values.shape() == Shape{2, 1});
    CHECK(test::elements(values) == std::vector<double>{1.5, -2});
}

TEST_CASE("a file whose start is not a header is refused") {
    CHECK(npy_refusal("\x93NUMPX\x01\0"s) ==
          "--input @x.npy: byte 1: found \"\\x93NUMPX\"; accepted: numpy's magic \"\\x93NUMPY\"");
    CHECK(npy_refusal("\x93NUMPY\x04\0\0\0\0\0"s) ==
          "--input @x.npy: byte 7: found format version 4.0; accepted: format version 1.0, 2.0 or "
          "3.0");
    CHECK(npy_refusal("\x93NUMPY\x01\x01\0\0"s).find("version 1.1") != std::string::npos);
    CHECK(npy_refusal("\x93NUMPY\0\0\0\0"s).find("version 0.0") != std::string::npos);
}

TEST_CASE("a header cut off at any byte is refused as truncated") {
    for (const char major : {'\x01', '\x02'}) {
        const std::string whole = file(dictionary("'<f8'", "()"), "", major);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            CAPTURE(size);
            CHECK(npy_refusal(whole.substr(0, size))
                      .starts_with("--input @x.npy: header: found a file of " +
                                   std::to_string(size) + (size == 1 ? " byte" : " bytes") +
                                   "; accepted: "));
        }
        CHECK(npy_refusal(whole).find("header") == std::string::npos);
    }
}

TEST_CASE("a header's length is limited, so that nothing large is read for it") {
    CHECK(
        npy_refusal("\x93NUMPY\x02\0\xff\xff\xff\xff"s) ==
        "--input @x.npy: byte 9: found a header of 4294967295 bytes; accepted: a header of at most "
        "65536 bytes");
}

TEST_CASE("types other than real numbers are refused by name") {
    const std::string accepted =
        "; accepted: real numbers: floating-point of 2, 4 or 8 bytes ('<f8'), integers of 1 to 8 "
        "('<i8', '|u1') and booleans ('|b1')";
    CHECK(header_refusal(dictionary("'|O'", "(2,)")) ==
          "21: found pickled objects, type \"|O\"" + accepted);
    CHECK(header_refusal(dictionary("[('a', '<f8')]", "(2,)")) ==
          "21: found a structured type" + accepted);
    for (const char* type : {"<i3", "<c16", "<f16", "|S8", "<U4", "|b2", "<u16", "<M8", "<f", "",
                             "<", "<f88", "<<f8", "float64"}) {
        CAPTURE(type);
        CHECK(header_refusal(dictionary("'"s + type + "'", "(2,)")) ==
              "21: found the type " + cli::quoted(std::string(type)) + accepted);
    }
}

TEST_CASE("a dictionary that numpy would not write is refused where it differs") {
    CHECK(header_refusal("") ==
          "11: found the end of the header; accepted: a dictionary as numpy writes it");
    CHECK(header_refusal("[]").starts_with("11: found \"[\""));
    CHECK(header_refusal("{'descr': '<f8', 'fortran_order': False}") ==
          "51: found a dictionary without one of its keys; accepted: the keys 'descr', "
          "'fortran_order' and 'shape', each once");
    CHECK(header_refusal("{'descr': '<f8', 'descr': '<f8'")
              .starts_with("28: found the key \"descr\""));
    CHECK(header_refusal("{'color': 1}").starts_with("12: found the key \"color\""));
    CHECK(header_refusal("{descr: 1}").starts_with("12: found \"descr\""));
    CHECK(header_refusal("{'descr").starts_with("12: found \"'descr\""));
    CHECK(header_refusal("{'descr' '<f8'}").starts_with("20: found \"'<f8'\""));
    CHECK(header_refusal("{'descr': '\\x3cf8'}").starts_with("21: found \"'\\x3cf8'\""));
    CHECK(header_refusal(dictionary("'<f8'", "()") + "x").find("accepted: spaces and a line end") !=
          std::string::npos);
    CHECK(header_refusal(dictionary("'<f8'", "()", "0"))
              .find("found \"0\"; accepted: True or False") != std::string::npos);
    CHECK(header_refusal("{'fortran_order': False 'shape': ()}")
              .starts_with("35: found \"'shape'\""));
    CHECK(header_refusal("{'shape': (2, 3)").starts_with("27: found the end of the header"));
}

TEST_CASE("a shape that is no tuple of whole numbers is refused") {
    for (const char* shape :
         {"2", "[2]", "(2)", "(-2,)", "(2.0,)", "(2 3)", "(,)", "(2,,)", "(02,)", "(0x2,)", "(2l,)",
          "(L,)", "('2',)", "(2", "(2,", "(None,)", "((2,),)", "(99999999999999999999999,)"}) {
        CAPTURE(shape);
        const std::string message = header_refusal(dictionary("'<f8'", shape));
        CHECK(message.find("found ") != std::string::npos);
    }
    std::string axes;
    for (int axis = 0; axis < 65; ++axis) axes += "1,";
    CHECK(header_refusal(dictionary("'<f8'", "(" + axes + ")")).find("more than 64 axes") !=
          std::string::npos);
}

TEST_CASE("a shape whose product overflows is refused, also beside an empty axis") {
    const std::string half = std::to_string(std::size_t{1} << (4 * sizeof(std::size_t)));
    for (const std::string& axes : {half + ", " + half, "0, " + half + ", " + half}) {
        CHECK(header_refusal(dictionary("'<f8'", "(" + axes + ")"))
                  .find("found the shape [" + axes +
                        "]; accepted: a shape whose product can be counted") != std::string::npos);
    }
}

TEST_CASE("a promise of more elements than the file holds is refused before memory is taken") {
    const std::size_t many = std::size_t{1} << (8 * sizeof(std::size_t) - 5);
    const std::string bytes =
        file(dictionary("'<f8'", "(" + std::to_string(many) + ",)"), "12345678");
    CHECK(npy_refusal(bytes) == "--input @x.npy: data: found an end after 1 value; accepted: the " +
                                    std::to_string(many) + " values of the shape [" +
                                    std::to_string(many) + "]");
}

TEST_CASE("data cut off at any byte, or with a byte behind it, is refused") {
    const std::string data = one_and_a_half + minus_two;
    const std::string header = dictionary("'<f8'", "(2, 1)");
    for (std::size_t size = 0; size < data.size(); ++size) {
        CAPTURE(size);
        CHECK(npy_refusal(file(header, data.substr(0, size))) ==
              std::string("--input @x.npy: data: found an end after ") +
                  (size < 8 ? "0 values" : "1 value") +
                  "; accepted: the 2 values of the shape [2, 1]");
    }
    CHECK(npy_refusal(file(header, data + '\0')) ==
          "--input @x.npy: data: found bytes after the last value; accepted: the 2 values of the "
          "shape [2, 1] and no more");
}

TEST_CASE("a NaN or infinity is refused with its index") {
    const std::string infinity = "\0\0\0\0\0\0\xf0\x7f"s;
    const std::string quiet = "\0\0\0\0\0\0\xf8\xff"s;
    const std::string signalling = "\x01\0\0\0\0\0\xf0\x7f"s;
    CHECK(npy_refusal(
              file(dictionary("'<f8'", "(2, 2)"), minus_two + minus_two + minus_two + infinity)) ==
          "--input @x.npy: element [1, 1] (flat index 3): found inf; accepted: finite numbers");
    CHECK(npy_refusal(file(dictionary("'<f8'", "(2,)"), quiet + infinity)) ==
          "--input @x.npy: element [0] (flat index 0): found nan; accepted: finite numbers");
    CHECK(npy_refusal(file(dictionary("'<f8'", "()"), signalling)) ==
          "--input @x.npy: element [] (flat index 0): found nan; accepted: finite numbers");
    CHECK(npy_refusal(file(dictionary("'<f4'", "(1,)"), "\0\0\x80\xff"s)).find("found -inf") !=
          std::string::npos);
    CHECK(npy_refusal(file(dictionary("'>f2'", "(1,)"), "\x7c\0"s)).find("found inf") !=
          std::string::npos);
    // The second element of the file in Fortran order is row 1 of column 0.
    CHECK(npy_refusal(file(dictionary("'<f8'", "(2, 3)", "True"),
                           minus_two + infinity + minus_two + minus_two + minus_two + minus_two)) ==
          "--input @x.npy: element [1, 0] (flat index 3): found inf; accepted: finite numbers");
}

TEST_CASE("the first non-finite number is found wherever it is") {
    for (const std::size_t size : {1U, 63U, 64U, 65U, 200U}) {
        std::vector<double> elements(size, std::numeric_limits<double>::max());
        CHECK(cli::first_non_finite(elements) == size);
        for (std::size_t index = size; index-- > 0;) {
            elements[index] = index % 2 == 0 ? -std::numeric_limits<double>::infinity()
                                             : std::numeric_limits<double>::quiet_NaN();
            REQUIRE(cli::first_non_finite(elements) == index);
        }
    }
    CHECK(cli::first_non_finite({}) == 0);
}

TEST_CASE("integers and booleans become the same numbers") {
    const auto read = [](const std::string& descr, const std::string& data) {
        return npy_tensor("x", file(dictionary("'" + descr + "'", "()"), data))[0];
    };
    CHECK(read("|b1", "\x01") == 1);
    CHECK(read("|b1", "\0"s) == 0);
    CHECK(read("|u1", "\xff") == 255);
    CHECK(read("|i1", "\x80") == -128);
    CHECK(read("|i1", "\xff") == -1);
    CHECK(read("<u2", "\xfe\xff") == 65534);
    CHECK(read(">i2", "\xff\xfe") == -2);
    CHECK(read("<i4", "\0\0\0\x80"s) == -2147483648.0);
    CHECK(read(">u4", "\xff\xff\xff\xff") == 4294967295.0);
    CHECK(read("<i8", "\0\0\0\0\0\0\0\x80"s) == -0x1p63);
    CHECK(read(">u8", "\xff\xff\xff\xff\xff\xff\xf8\0"s) == 0x1p64 - 2048);
    CHECK(numeric::same_bits(read("<i8", std::string(8, '\0')), 0.0));
}

TEST_CASE("an integer that binary64 does not hold is refused with its index") {
    const std::string accepted = "; accepted: integers that binary64 holds, such as those to 2^53";
    // 2^53, -2^53 and then 2^53 + 1
    CHECK(npy_refusal(
              file(dictionary("'>i8'", "(1, 3)"),
                   "\0\x20\0\0\0\0\0\0"s + "\xff\xe0\0\0\0\0\0\0"s + "\0\x20\0\0\0\0\0\1"s)) ==
          "--input @x.npy: element [0, 2] (flat index 2): found an integer of more than 53 bits" +
              accepted);
    CHECK(
        npy_refusal(file(dictionary("'<u8'", "(1,)"), std::string(8, '\xff'))).ends_with(accepted));
    CHECK(npy_refusal(file(dictionary("'<i8'", "(1,)"), "\1" + std::string(6, '\0') + "\x80"))
              .ends_with(accepted));
}

TEST_CASE("a shape of Python 2's long integers is a shape") {
    const Tensor values =
        npy_tensor("x", file(dictionary("'<f8'", "(2L, 1L)"), one_and_a_half + minus_two));
    CHECK(values.shape() == Shape{2, 1});
}

TEST_CASE("an axis of zero is refused unless it is allowed") {
    const std::string bytes = file(dictionary("'<f8'", "(0, 3)"));
    CHECK(
        npy_refusal(bytes) ==
        "--input @x.npy: header: found the shape [0, 3]; accepted: at least one value: every axis "
        "from 1");
    cli::Limits limits;
    limits.empty_allowed = true;
    const Tensor values = npy_tensor("x", bytes, limits);
    CHECK(values.shape() == Shape{0, 3});
    CHECK(values.size() == 0);
}

TEST_CASE("what is written reads back with the same bits") {
    const std::vector<double> elements = {0.1, -0.0,  5e-324, std::numeric_limits<double>::max(),
                                          -3,  1e-310};
    for (const Shape& shape : {Shape{6}, Shape{2, 3}, Shape{1, 6, 1}}) {
        std::string scratch;
        const std::string header = cli::npy_header(shape);
        CHECK(header.size() % 64 == 0);
        const Tensor values =
            npy_tensor("x", header + std::string(cli::npy_bytes(elements, scratch)));
        CHECK(values.shape() == shape);
        REQUIRE(values.size() == elements.size());
        for (std::size_t index = 0; index < elements.size(); ++index) {
            CHECK(numeric::same_bits(values[index], elements[index]));
        }
    }
}

TEST_CASE("written numbers are little-endian binary64") {
    std::string scratch;
    const std::vector<double> elements = {1.5, -2};
    CHECK(cli::npy_bytes(elements, scratch) == one_and_a_half + minus_two);
    CHECK(cli::npy_header(Shape{2}).find(
              "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }") == 10);
}
