// Unified diffs, and the place of the first difference.
#include "report/diff.hpp"

#include <doctest/doctest.h>

#include <charconv>
#include <random>
#include <vector>

using namespace rmsnorm;

namespace {

std::vector<std::string> lines_with_ends(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
        lines.emplace_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return lines;
}

struct Range {
    std::size_t line;
    std::size_t count;
};

// "3,4" or "3".
Range read_range(std::string_view text) {
    Range range{0, 1};
    const auto line = std::from_chars(text.data(), text.data() + text.size(), range.line);
    if (*line.ptr == ',') std::from_chars(line.ptr + 1, text.data() + text.size(), range.count);
    return range;
}

// What a reader of unified diffs makes of `golden`: written from the format's description alone, it
// refuses wrong line numbers, wrong counts, wrong context and hunks without a change.
std::string patched(const std::string& golden, const std::string& diff) {
    const std::vector<std::string> old = lines_with_ends(golden);
    std::vector<std::string> script = lines_with_ends(diff);
    REQUIRE(script.size() > 2);
    REQUIRE(script[0].rfind("--- ", 0) == 0);
    REQUIRE(script[1].rfind("+++ ", 0) == 0);
    std::string result;
    std::size_t at = 0;    // lines of `old` used
    std::size_t made = 0;  // lines of the result
    for (std::size_t i = 2; i < script.size();) {
        REQUIRE(script[i].rfind("@@ -", 0) == 0);
        const std::size_t plus = script[i].find(" +");
        const Range from = read_range(std::string_view(script[i]).substr(4));
        const Range to = read_range(std::string_view(script[i]).substr(plus + 2));
        ++i;
        // A range without lines names the line before it.
        const std::size_t start = from.count == 0 ? from.line : from.line - 1;
        REQUIRE(start >= at);
        for (; at < start; ++at, ++made) result += old[at];
        REQUIRE((to.count == 0 ? to.line : to.line - 1) == made);
        std::size_t removed = 0;
        std::size_t added = 0;
        std::size_t changes = 0;
        for (; i < script.size() && script[i][0] != '@'; ++i) {
            const char kind = script[i][0];
            std::string line = script[i].substr(1);
            if (i + 1 < script.size() && script[i + 1][0] == '\\') line.pop_back();
            if (kind == '\\') continue;
            if (kind != ' ') ++changes;
            if (kind != '+') {
                REQUIRE(at < old.size());
                REQUIRE(line == old[at]);
                ++at;
                ++removed;
            }
            if (kind != '-') {
                result += line;
                ++made;
                ++added;
            }
        }
        REQUIRE(removed == from.count);
        REQUIRE(added == to.count);
        REQUIRE(changes > 0);
    }
    for (; at < old.size(); ++at) result += old[at];
    return result;
}

std::string diff_of(const std::string& golden, const std::string& computed) {
    return report::unified_diff("golden", golden, "computed", computed);
}

void check_place(const std::string& golden, const std::string& computed, std::size_t line,
                 std::size_t column) {
    INFO(golden << " / " << computed);
    for (const auto& place :
         {report::first_difference(golden, computed), report::first_difference(computed, golden)}) {
        REQUIRE(place);
        CHECK(place->line == line);
        CHECK(place->column == column);
    }
}

std::string numbered_lines(std::size_t count, const std::string& end) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += std::to_string(i) + end;
    return text;
}

}  // namespace

TEST_CASE("texts that are the same have no difference and no diff") {
    for (const std::string text : {"", "a", "a\n", "\n", "a\nb"}) {
        CHECK_FALSE(report::first_difference(text, text));
        CHECK(diff_of(text, text).empty());
    }
}

TEST_CASE("the first differing byte has its line and column") {
    check_place("abc\n", "abd\n", 1, 3);
    check_place("abc\ndef\n", "abc\ndxf\n", 2, 2);
    check_place("abc\ndef\n", "abc\nxef\n", 2, 1);
    check_place("a\n", "a\r\n", 1, 2);
}

TEST_CASE("a text that is the beginning of the other one differs where it ends") {
    check_place("", "a", 1, 1);
    check_place("a", "ab", 1, 2);
    check_place("a", "a\n", 1, 2);
    check_place("a\n", "a\nb", 2, 1);
    check_place("a\n", "a\n\n", 2, 1);
}

TEST_CASE("columns count bytes, so that a multi-byte letter counts as many") {
    check_place("\xc3\xa9x", "\xc3\xa9y", 1, 3);
    check_place("\xc3\xa9", "\xc3\xa8", 1, 2);
}

TEST_CASE("a changed line stands in a hunk with three lines of context") {
    // As `diff -u --label golden --label computed` prints it.
    CHECK(diff_of("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
          "--- golden\n+++ computed\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("ranges of one line have no count, and ranges of none name the line before") {
    CHECK(diff_of("a\n", "b\n") == "--- golden\n+++ computed\n@@ -1 +1 @@\n-a\n+b\n");
    CHECK(diff_of("", "a\nb\n") == "--- golden\n+++ computed\n@@ -0,0 +1,2 @@\n+a\n+b\n");
    CHECK(diff_of("a\n", "") == "--- golden\n+++ computed\n@@ -1 +0,0 @@\n-a\n");
}

TEST_CASE("a missing final newline is said") {
    CHECK(diff_of("a\nb", "a\nb\n") ==
          "--- golden\n+++ computed\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
    CHECK(diff_of("a\nb\n", "a\nb") ==
          "--- golden\n+++ computed\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n");
    CHECK(diff_of("x\nb", "y\nb") ==
          "--- golden\n+++ computed\n@@ -1,2 +1,2 @@\n-x\n+y\n b\n\\ No newline at end of file\n");
}

TEST_CASE("carriage returns belong to their lines") {
    CHECK(diff_of("a\r\n", "a\n") == "--- golden\n+++ computed\n@@ -1 +1 @@\n-a\r\n+a\n");
}

TEST_CASE("changes six lines apart share a hunk, seven lines apart they do not") {
    const auto hunk_count = [](std::size_t between) {
        const std::string middle = numbered_lines(between, "\n");
        const std::string diff = diff_of("a\n" + middle + "b\n", "A\n" + middle + "B\n");
        std::size_t count = 0;
        for (std::size_t at = diff.find("\n@@ "); at != std::string::npos;
             at = diff.find("\n@@ ", at + 1)) {
            ++count;
        }
        return count;
    };
    CHECK(hunk_count(6) == 1);
    CHECK(hunk_count(7) == 2);
}

TEST_CASE("a diff turns its golden into the computed text") {
    // Few different lines, so that they repeat and the scripts have something to choose.
    std::mt19937 random(20);
    const auto text = [&] {
        std::string made;
        const auto lines = random() % 24;
        for (unsigned i = 0; i < lines; ++i) made += "xyz"[random() % 3] + std::string("\n");
        if (random() % 3 == 0) made += "x";
        return made;
    };
    for (int round = 0; round < 2000; ++round) {
        const std::string golden = text();
        const std::string computed = text();
        if (golden == computed) continue;
        const std::string diff = diff_of(golden, computed);
        INFO(diff);
        CHECK(patched(golden, diff) == computed);
    }
}

TEST_CASE("texts too long to compare line by line still turn into each other") {
    // 40,000 lines against 40,000 others: line by line, that would be 1.6 thousand million pairs.
    const std::string golden = "same\n" + numbered_lines(40'000, "\n") + "end\n";
    const std::string computed = "same\n" + numbered_lines(40'000, " computed\n") + "end\n";
    const std::string diff = diff_of(golden, computed);
    CHECK(patched(golden, diff) == computed);
    CHECK(diff.find("@@ -1,40002 +1,40002 @@\n same\n-0\n") != std::string::npos);
    CHECK(diff_of(golden, "").size() > golden.size());
}

TEST_CASE("one changed line of a long text is one line in its diff") {
    const std::string golden = numbered_lines(200'000, "\n");
    std::string computed = golden;
    computed.replace(computed.find("\n100000\n"), 8, "\nhundred thousand\n");
    CHECK(diff_of(golden, computed) ==
          "--- golden\n+++ computed\n@@ -99998,7 +99998,7 @@\n 99997\n 99998\n 99999\n-100000\n"
          "+hundred thousand\n 100001\n 100002\n 100003\n");
}
