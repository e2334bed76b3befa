#include "nn/parameter.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "autodiff/error.hpp"
#include "support/rejection.hpp"

using namespace rmsnorm;
using namespace rmsnorm::nn;
using tensor::Tensor;
using testing::rejection;

namespace {

template <class Case>
testing::Rejection<Case> refused_name(const std::string& name) {
    CAPTURE(name);
    return rejection<ParameterNameError, Case>([&] { validate_parameter_name(name); });
}

// UTF-8 of any number, also of one that UTF-8 does not allow.
std::string utf8(std::uint32_t c) {
    const auto tail = [c](int shift) { return static_cast<char>(0x80U | ((c >> shift) & 0x3fU)); };
    if (c < 0x80) return {static_cast<char>(c)};
    if (c < 0x800) return {static_cast<char>(0xc0U | c >> 6), tail(0)};
    if (c < 0x10000) return {static_cast<char>(0xe0U | c >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xf0U | c >> 18), tail(12), tail(6), tail(0)};
}

}  // namespace

TEST_CASE("a parameter carries its name and a tracked value") {
    NamedParameter parameter("layer.0.gain", Tensor::vector({1, 2}));
    CHECK(parameter.name() == "layer.0.gain");
    CHECK(parameter.value().tracked());
    CHECK(same_bits(parameter.value().tensor(), Tensor::vector({1, 2})));
}

TEST_CASE("a parameter's name is judged before its values") {
    const auto bad = Tensor::scalar(std::numeric_limits<double>::infinity());
    rejection<ParameterNameError, EmptyName>([&] { NamedParameter("", bad); });
    rejection<autodiff::AutodiffError, autodiff::NonFiniteLeaf>([&] { NamedParameter("p", bad); });
}

TEST_CASE("the parameters of a model stand in order, and no two have one name") {
    const NamedParameter gain("gain", Tensor::vector({1}));
    const NamedParameter bias("bias", Tensor::vector({2}));
    const NamedParameters parameters({gain, bias});
    REQUIRE(parameters.all().size() == 2);
    CHECK(parameters.all()[0].name() == "gain");
    CHECK(parameters.all()[1].name() == "bias");
    CHECK(NamedParameters({}).all().empty());
    const NamedParameter other("gain", Tensor::vector({3, 4}));
    const auto refused = rejection<ParameterNameError, RepeatedName>([&] {
        NamedParameters({gain, bias, other});
    });
    CHECK(refused.fields.name == "gain");
    CHECK(refused.message == "parameter name \"gain\" must stand for one parameter, not for two");
}

TEST_CASE("names in every script, markup and punctuation are accepted") {
    for (const char* name :
         {"g", "decoder.block.0.attention_norm.gain", "<script>alert(1)</script>", "a-b_c:d/e\\f",
          "\"quoted\"", "&amp;", "%s%n", "$(rm)", "\xc3\xa9t\xc3\xa9", "\xe8\xa7\x84\xe8\x8c\x83",
          // Right-to-left letters (Hebrew, Arabic) are letters.
          "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7",
          // The last character of two, three and four bytes, and the first of three and four.
          "\xdf\xbf", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf", "\xe0\xa0\x80", "\xf0\x90\x80\x80",
          "\xf0\x9f\x94\xa5"}) {
        CAPTURE(name);
        CHECK_NOTHROW(validate_parameter_name(name));
    }
}

TEST_CASE("a name has one byte at least and 255 at most, counted in bytes") {
    CHECK(refused_name<EmptyName>("").message == "parameter name must not be empty");
    CHECK_NOTHROW(validate_parameter_name(std::string(255, 'x')));
    const auto refused = refused_name<NameTooLong>(std::string(256, 'x'));
    CHECK(refused.fields.bytes == 256);
    CHECK(refused.fields.most == 255);
    CHECK(refused.message == "parameter name must have at most 255 bytes, got 256");
    // 127 characters of two bytes fit, 128 do not.
    std::string letters;
    for (int i = 0; i < 127; ++i) letters += "\xc3\xa9";
    CHECK_NOTHROW(validate_parameter_name(letters));
    CHECK(refused_name<NameTooLong>(letters + "\xc3\xa9").fields.bytes == 256);
    // The length is judged before what fills it.
    refused_name<NameTooLong>(std::string(256, '\xff'));
}

TEST_CASE("the parts between dots must not be empty") {
    for (const char* name : {".", "..", ".a", "a.", "a..b", "a...b"}) {
        CAPTURE(name);
        CHECK(refused_name<EmptyNamePart>(name).fields.name == name);
    }
    CHECK(refused_name<EmptyNamePart>("a..b").message ==
          "parameter name \"a..b\" must not have an empty part between its dots");
    CHECK_NOTHROW(validate_parameter_name("a.b.c"));
}

TEST_CASE("white space, control characters, the trace's separator and reordering are refused") {
    std::vector<std::uint32_t> refused{'|', 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff};
    for (std::uint32_t c = 0; c <= 0x20; ++c) refused.push_back(c);
    for (std::uint32_t c = 0x7f; c <= 0xa0; ++c) refused.push_back(c);
    for (std::uint32_t c = 0x2000; c <= 0x200a; ++c) refused.push_back(c);
    for (std::uint32_t c = 0x202a; c <= 0x202e; ++c) refused.push_back(c);
    for (std::uint32_t c = 0x2066; c <= 0x2069; ++c) refused.push_back(c);
    for (const std::uint32_t c : refused) {
        const auto found = refused_name<NameCharacter>("ab" + utf8(c) + "c");
        CHECK(found.fields.code_point == c);
        CHECK(found.fields.offset == 2);
    }
    for (const std::uint32_t neighbour :
         {0x21U, 0x7bU, 0x7dU, 0x7eU, 0xa1U, 0x167fU, 0x1681U, 0x1fffU, 0x200bU, 0x2027U, 0x2030U,
          0x205eU, 0x2060U, 0x2065U, 0x206aU, 0x2fffU, 0x3001U, 0xfefeU, 0xff00U}) {
        CAPTURE(neighbour);
        CHECK_NOTHROW(validate_parameter_name(utf8(neighbour)));
    }
}

TEST_CASE("a refused character is quoted by its code point and byte") {
    const std::string rule =
        "parameter name must not hold white space, control characters, text direction overrides or "
        "'|', got ";
    CHECK(refused_name<NameCharacter>("a b").message == rule + "U+0020 at byte 2");
    CHECK(refused_name<NameCharacter>(std::string("\0", 1)).message == rule + "U+0000 at byte 1");
    CHECK(refused_name<NameCharacter>("\xc3\xa9|").message == rule + "U+007C at byte 3");
    CHECK(refused_name<NameCharacter>("gain\xe2\x80\xaeniag").message == rule + "U+202E at byte 5");
    // The first fault in the text is reported, and faults of parts after those of characters.
    CHECK(refused_name<NameCharacter>("a\nb\xff").fields.offset == 1);
    CHECK(refused_name<NameNotUtf8>("a\xff\n").fields.offset == 1);
    CHECK(refused_name<NameCharacter>("a..b\t").fields.code_point == '\t');
}

TEST_CASE("ill-formed UTF-8 is refused at the byte where its sequence starts") {
    for (const char* bytes : {"\x80",
                              "\xbf",
                              "\xc0\x80",
                              "\xc1\xbf",
                              "\xc2",
                              "\xc3(",
                              "\xc3\xc3\xa9",
                              "\xe0\x9f\xbf",
                              "\xe2\x82",
                              "\xe2\x82(",
                              "\xed\xa0\x80",
                              "\xed\xbf\xbf",
                              "\xf0\x8f\xbf\xbf",
                              "\xf0\x9f\x94",
                              "\xf0\x9f\x94(",
                              "\xf4\x90\x80\x80",
                              "\xf5\x80\x80\x80",
                              "\xf8\x88\x80\x80\x80",
                              "\xfe",
                              "\xff"}) {
        CAPTURE(bytes);
        CHECK(refused_name<NameNotUtf8>(bytes).fields.offset == 0);
        CHECK(refused_name<NameNotUtf8>(std::string("\xc3\xa9.") + bytes).fields.offset == 3);
    }
    CHECK(refused_name<NameNotUtf8>("abc\xff").message ==
          "parameter name must be UTF-8, which it is not at byte 4");
}
