#include "cli/input/text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cli/input/file_format.hpp"
#include "numeric/bits.hpp"
#include "support/readers.hpp"
#include "support/refusal.hpp"

using namespace rmsnorm;
using namespace std::string_literals;
using rmsnorm::test::elements;
using rmsnorm::test::text_tensor;
using tensor::Tensor;
using Shape = std::vector<std::size_t>;

namespace {

std::string text_refusal(std::string_view text) {
    return test::refusal([&] { text_tensor("--input @x.txt", text); });
}

constexpr const char* number = "; accepted: a finite decimal number such as 1.5 or -2e-3";

}  // namespace

TEST_CASE("one row of text has one axis and several rows have two") {
    const Tensor row = text_tensor("x", "3 4\n");
    CHECK(row.shape() == Shape{2});
    CHECK(elements(row) == std::vector<double>{3, 4});
    const Tensor rows = text_tensor("x", "1 2 3\n4 5 6");
    CHECK(rows.shape() == Shape{2, 3});
    CHECK(elements(rows) == std::vector<double>{1, 2, 3, 4, 5, 6});
    CHECK(text_tensor("x", "1\n2\n").shape() == Shape{2, 1});
}

TEST_CASE("commas, or else spaces and tabs, separate the numbers of a row") {
    CHECK(elements(text_tensor("x", " 1,2\t,3 , 4\t")) == std::vector<double>{1, 2, 3, 4});
    CHECK(elements(text_tensor("x", " 1 2\t3  4\t")) == std::vector<double>{1, 2, 3, 4});
    CHECK(elements(text_tensor("x", "1,2\n3 4")) == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("a row with decimal commas is refused, not read as twice as many numbers") {
    CHECK(text_refusal("1 2\n0,5 1,5\n") ==
          "--input @x.txt: line 2, column 5: found spaces alone before \"1\"; accepted: commas "
          "between all numbers of a row, and points for decimals (0.5)");
    CHECK(text_refusal("3 0,5").starts_with(
        "--input @x.txt: line 1, column 5: found a comma before \"5\"; accepted: no comma"));
    for (const char* text : {"0,5\t1,5", "1, 2 3", "1 2 ,3", "0,5 1"}) {
        CAPTURE(text);
        CHECK(text_refusal(text) != "");
    }
}

TEST_CASE("a number that is not zero and would become it is refused") {
    CHECK(text_refusal("1\n-1e-999") ==
          "--input @x.txt: line 2, column 1: found \"-1e-999\", which is too small for binary64 "
          "and would be zero; accepted: 0 itself or a magnitude from 5e-324");
    CHECK(text_refusal("2.4e-324") != "");  // under half of the smallest number
    CHECK(text_tensor("x", "2.5e-324")[0] == 5e-324);
    CHECK(elements(text_tensor("x", "0e-999 -0.000")) == std::vector<double>{0, 0});
}

TEST_CASE("comments, blank lines and carriage returns at line ends are no rows") {
    const Tensor values = text_tensor("x", "# a, b\r\n\r\n1 2 # first\r\n  \n3 4#\n\n# nan\n");
    CHECK(values.shape() == Shape{2, 2});
    CHECK(elements(values) == std::vector<double>{1, 2, 3, 4});
    CHECK(elements(text_tensor("x", "5\r")) == std::vector<double>{5});
}

TEST_CASE("text becomes the nearest binary64") {
    const Tensor values = text_tensor("x", "0.1 -0 4.9e-324 9007199254740993");
    CHECK(numeric::hex(values[0]) == "3fb999999999999a");
    CHECK(numeric::hex(values[1]) == "8000000000000000");
    CHECK(numeric::hex(values[2]) == "0000000000000001");
    CHECK(values[3] == 9007199254740992.0);
}

TEST_CASE("what is no finite number is refused with line and column") {
    for (const char* token : {"nan", "inf", "-inf", "3;4", "0x10", "1_000", "1'000", "abc", "1.2.3",
                              "\"5\"", "[1]", "1\v2"}) {
        CAPTURE(token);
        const std::string message = text_refusal("# note\n1 2\n3\t"s + token + "\n");
        CHECK(message == "--input @x.txt: line 3, column 3: found " +
                             cli::quoted(std::string(token)) + number);
    }
    CHECK(text_refusal("1 2\r\n1e999 4") ==
          "--input @x.txt: line 2, column 1: found \"1e999\"; accepted: a magnitude of at most "
          "1.7976931348623157e308");
}

TEST_CASE("zeros that a thousands separator leaves behind are refused in text too") {
    CHECK(text_refusal("1,000 2\n") ==
          "--input @x.txt: line 1, column 3: found \"000\"; accepted: numbers without zeros in "
          "front of "
          "them; a comma ends a number and separates no thousands, so that a thousand is 1000");
    CHECK(text_refusal("1 -01").find("line 1, column 3") != std::string::npos);
    CHECK(elements(text_tensor("x", "0 1.0e-01 0.5")) == std::vector<double>{0, 0.1, 0.5});
}

TEST_CASE("a row of another width is refused by its line") {
    CHECK(text_refusal("\n1 2\n3\n") ==
          "--input @x.txt: line 3, column 2: found a row of 1 value; accepted: 2 values in each "
          "row, as in line 2");
    CHECK(text_refusal("1 2\n3 4 5\n") ==
          "--input @x.txt: line 2, column 5: found value 3 of the row; accepted: 2 values in each "
          "row, as in line 1");
    CHECK(text_refusal("1 2\n3").find("line 2, column 2: found a row of 1 value") !=
          std::string::npos);
}

TEST_CASE("a comma needs a number on both sides in its row") {
    CHECK(text_refusal("1,2,\n") ==
          "--input @x.txt: line 1, column 5: found nothing after the last comma; accepted: numbers "
          "with one comma between them");
    CHECK(text_refusal("1,,2").find("column 3: found nothing before a comma") != std::string::npos);
    CHECK(text_refusal("1\n,2").find("line 2, column 1: found nothing before a comma") !=
          std::string::npos);
    CHECK(text_refusal("1, # 2").find("found nothing after the last comma") != std::string::npos);
    CHECK(text_refusal("1,").find("found nothing after the last comma") != std::string::npos);
}

TEST_CASE("a carriage return inside of a line is refused") {
    for (const char* text : {"1\r2\n", "1\r 2\n", "1\r\r\n", "1\r# x\n", "1\r,2"}) {
        CAPTURE(text);
        CHECK(
            text_refusal(text) ==
            "--input @x.txt: line 1, column 2: found \"\\r\"; accepted: a carriage return only at "
            "the end of a line");
    }
}

TEST_CASE("text without a number is refused") {
    for (const char* text : {"", "\n", "# only a note", " \t\r\n"}) {
        CAPTURE(text);
        CHECK(text_refusal(text).find("found the end of the text and no number; accepted: at least "
                                      "one number") != std::string::npos);
    }
}

TEST_CASE("text is the same in pieces of any size") {
    const std::string text = "# c\r\n1.25, -3e-2\r\n\n 17\t0.5 # d\n";
    const Tensor whole = text_tensor("x", text);
    for (std::size_t size = 1; size < text.size(); ++size) {
        CAPTURE(size);
        cli::TextReader reader("x");
        for (std::size_t at = 0; at < text.size(); at += size) {
            reader.feed(std::string_view(text).substr(at, size));
        }
        const Tensor pieces = reader.finish();
        CHECK(pieces.shape() == whole.shape());
        CHECK(elements(pieces) == elements(whole));
    }
}

TEST_CASE("text over the limit is refused at the first value too many, without the rest") {
    cli::Limits limits;
    limits.max_elements = 3;
    cli::TextReader reader("x", limits);
    reader.feed("1 2\n3 ");
    CHECK(test::refusal([&] { reader.feed("4 nonsense that is not read"); }) ==
          "x: line 2, column 3: found more than 3 values; accepted: at most 3 values "
          "(--max-elements sets the limit)");
}

TEST_CASE("a number without end is refused before it fills the memory") {
    cli::TextReader reader("x");
    reader.feed("7 ");
    reader.feed(std::string(4000, '1'));
    CHECK(test::refusal([&] { reader.feed(std::string(4000, '1')); }) ==
          "x: line 1, column 3: found a number of more than 4096 characters; accepted: a finite "
          "decimal number such as 1.5 or -2e-3");
}

TEST_CASE("files are recognised by content") {
    CHECK(cli::recognized_format("x", "\x93NUMPY") == cli::FileFormat::npy);
    CHECK(cli::recognized_format("x", "\x93NU") == cli::FileFormat::npy);
    CHECK(cli::recognized_format("x", " \r\n\t[1]") == cli::FileFormat::json);
    CHECK(cli::recognized_format("x", "{}") == cli::FileFormat::json);
    CHECK(cli::recognized_format("x", "1 [2]") == cli::FileFormat::text);
    CHECK(cli::recognized_format("x", "# {") == cli::FileFormat::text);
    CHECK(cli::recognized_format("x", "") == cli::FileFormat::text);
}

TEST_CASE("a file of another kind is refused by name") {
    const auto refusal = [](std::string_view head) {
        return test::refusal([&] { cli::recognized_format("--input @f", head); });
    };
    constexpr const char* accepted =
        "; accepted: a .npy file, JSON, or text with numbers separated by spaces, commas or tabs";
    CHECK(refusal("PK\x03\x04") == "--input @f: byte 1: found a zip archive"s + accepted);
    const auto archive = [](const std::string& member) {
        return "PK\x03\x04"s + std::string(22, '\0') + static_cast<char>(member.size()) +
               std::string(3, '\0') + member + "data";
    };
    CHECK(refusal(archive("note.txt")) == "--input @f: byte 1: found a zip archive"s + accepted);
    CHECK(refusal(archive("weight.npy")) ==
          "--input @f: byte 1: found a NumPy archive (.npz: it holds .npy files, unpack one of "
          "them)"s +
              accepted);
    CHECK(refusal(archive("model/data.pkl")) ==
          "--input @f: byte 1: found a PyTorch file (.pt: save its tensor as .npy)"s + accepted);
    CHECK(refusal("\x80\x02\x8a\x0alFC"s) != "");
    CHECK(refusal("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.") ==
          "--input @f: byte 1: found a PyTorch file (.pt: save its tensor as .npy)"s + accepted);
    const std::string header = R"({"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    CHECK(refusal(std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header +
                  std::string(8, '\1')) ==
          "--input @f: byte 1: found a safetensors file"s + accepted);
    CHECK(refusal("\x80\x04\x95") == "--input @f: byte 1: found a Python pickle"s + accepted);
    CHECK(refusal("\x7f\x45LF") == "--input @f: byte 1: found an ELF program"s + accepted);
    CHECK(refusal("ab\x01\x00z"s) == "--input @f: byte 1: found binary data"s + accepted);
}

TEST_CASE("text with a byte-order mark or in UTF-16 or UTF-32 is refused by name") {
    const auto refusal = [](std::string_view head) {
        return test::refusal([&] { cli::recognized_format("x", head); });
    };
    constexpr const char* accepted = "; accepted: UTF-8 text without a byte-order mark";
    CHECK(refusal("\xef\xbb\xbf"
                  "1 2") == "x: byte 1: found a UTF-8 byte-order mark"s + accepted);
    CHECK(refusal("\xff\xfe\x31\x00"s) == "x: byte 1: found UTF-16 text"s + accepted);
    CHECK(refusal("\xfe\xff\x00\x31"s) == "x: byte 1: found UTF-16 text"s + accepted);
    CHECK(refusal("1\0 \0"s) == "x: byte 1: found UTF-16 text"s + accepted);
    CHECK(refusal("\0[\0"s) == "x: byte 1: found UTF-16 text"s + accepted);
    CHECK(refusal("\xff\xfe\x00\x00"s) == "x: byte 1: found UTF-32 text"s + accepted);
}
