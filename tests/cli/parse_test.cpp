#include "cli/parse.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/refusal.hpp"

using rmsnorm::cli::Option;
using rmsnorm::cli::parse;
using rmsnorm::cli::Parsed;
using rmsnorm::cli::values_of;
using Words = std::vector<std::string>;

namespace {

std::vector<Option> options() {
    return {{.names = "",
             .value_name = "FILE",
             .help = "a file",
             .default_text = "",
             .repeatable = true},
            {.names = "-o,--output", .value_name = "PATH", .help = "a path", .default_text = ""},
            {.names = "-q,--quiet", .value_name = "", .help = "less", .default_text = ""},
            {.names = "--input",
             .value_name = "LIST",
             .help = "numbers",
             .default_text = "",
             .repeatable = true}};
}

struct Given {
    Parsed parsed;
    Words files, output, quiet, input;
};

Given given(const Words& words) {
    std::vector<Option> known = options();
    const Parsed parsed = parse("try", known, words);
    return {parsed, known[0].values, known[1].values, known[2].values, known[3].values};
}

std::string refusal(const Words& words) {
    return rmsnorm::test::refusal([&] { given(words); });
}

}  // namespace

TEST_CASE("every spelling of an option's value is the same value") {
    for (const Words& words : {Words{"--output", "x"}, {"--output=x"}, {"-o", "x"}, {"-ox"}}) {
        CAPTURE(words.front());
        CHECK(given(words).output == Words{"x"});
    }
}

TEST_CASE("a value behind an equals sign is taken as it stands") {
    CHECK(given({"--input=-3,4"}).input == Words{"-3,4"});
    CHECK(given({"--input=[a]"}).input == Words{"[a]"});
    CHECK(given({"--output==x"}).output == Words{"=x"});
    CHECK(given({"--output=--quiet"}).output == Words{"--quiet"});
}

TEST_CASE("a word that no option is called is a value, with a minus too") {
    CHECK(given({"--input", "-3,4"}).input == Words{"-3,4"});
    CHECK(given({"--input", "[1]", "f"}).input == Words{"[1]"});
    CHECK(given({"--input", "[1]", "f"}).files == Words{"f"});
    CHECK(given({"--output", "-"}).output == Words{"-"});
}

TEST_CASE("flags stand alone or as letters in one word, a value may end it") {
    CHECK(given({"--quiet"}).quiet == Words{"true"});
    CHECK(given({"-q"}).quiet == Words{"true"});
    CHECK(given({"-qox"}).output == Words{"x"});
    CHECK(given({"-qo", "x"}).output == Words{"x"});
    CHECK(given({"-qo", "x"}).quiet == Words{"true"});
}

TEST_CASE("arguments stand anywhere, a single minus and what follows two are among them") {
    CHECK(given({"a", "-q", "-", "b"}).files == Words{"a", "-", "b"});
    CHECK(given({"--", "-q", "--", "--output=x"}).files == Words{"-q", "--", "--output=x"});
    CHECK(given({"--", "-q"}).quiet.empty());
    CHECK(given({""}).files == Words{""});
}

TEST_CASE("a call for help or the version counts when all words are right") {
    CHECK(given({"a", "--help"}).parsed == Parsed::help);
    CHECK(given({"-qh"}).parsed == Parsed::help);
    CHECK(given({"--version"}).parsed == Parsed::version);
    CHECK(given({"--version", "-h"}).parsed == Parsed::help);
    CHECK(given({"--", "-h"}).parsed == Parsed::run);
    CHECK(refusal({"--help", "--bogus"}).rfind("unknown option \"--bogus\"", 0) == 0);
}

TEST_CASE("what nobody means is refused by name") {
    const std::string see = "; see rmsnorm-fixture try --help";
    CHECK(refusal({"--output="}) ==
          "--output: found no value after the =; accepted: PATH (a path)" + see);
    CHECK(refusal({"--quiet=yes"}) == "--quiet takes no value; found \"yes\"; accepted: --quiet");
    CHECK(refusal({"-q=yes"}) == "-q takes no value; found \"yes\"; accepted: -q");
    CHECK(refusal({"--help=x"}) == "--help takes no value; found \"x\"; accepted: --help");
    CHECK(refusal({"-o=x"}) == "-o: found \"=x\"; accepted: -o PATH, or --output=x");
    CHECK(refusal({"--output"}) == "--output: found no value; accepted: PATH (a path)" + see);
    CHECK(refusal({"--output", "-q"}) ==
          "--output: found no value before \"-q\"; accepted: PATH (a path), or "
          "\"--output=-q\" if that is the value" +
              see);
    CHECK(refusal({"--output", "--", "x"}).rfind("--output: found no value before \"--\"", 0) == 0);
    CHECK(refusal({"--outptu", "x"}).find("did you mean --output?") != std::string::npos);
    CHECK(refusal({"-x"}).rfind("unknown option \"-x\"", 0) == 0);
    CHECK(refusal({"-qx"}).rfind("unknown option \"-x\"", 0) == 0);
    CHECK(refusal({"-o", "a", "-o", "b"}) == "--output is given 2 times; accepted: once");
}

TEST_CASE("a command without arguments refuses one") {
    std::vector<Option> known = options();
    known.erase(known.begin());
    CHECK(rmsnorm::test::refusal([&] { parse("try", known, {"a"}); }) ==
          "unexpected argument \"a\"; try accepts options only; see rmsnorm-fixture try --help");
}

TEST_CASE("a required option that is missing is named") {
    std::vector<Option> known = options();
    known[1].required = true;
    CHECK(rmsnorm::test::refusal([&] { parse("try", known, {}); }) ==
          "try needs --output; see rmsnorm-fixture try --help");
}
