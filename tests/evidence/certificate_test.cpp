#include "evidence/certificate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>

using namespace rmsnorm;
using namespace rmsnorm::evidence;
using numeric::Enclosure;

namespace {

// The root of two, once as it is and once with six digits.
ExactFigures roots(int bits) {
    ExactFigures figures(bits);
    figures.add("a/root", sqrt(Enclosure(2, bits)), 1e-15);
    figures.add("b/0", {sqrt(Enclosure(2, bits)), Enclosure(0, bits)}, {1e-5, 1e-16});
    return figures;
}

Record record(double root, double zero) {
    Array array;
    array.items.emplace_back(tensor::Tensor::vector({1.414215, zero}));
    return Record()
        .add("a", Record().add("root", root).add("word", "text"))
        .add("absent", 3.0, Presence::absent)
        .add("b", std::move(array));
}

}  // namespace

TEST_CASE("each number is certified, off by units of its last digit, or an artefact") {
    const Certification result = certification(record(std::sqrt(2.0), 0), roots);
    REQUIRE(result.figures.size() == 2);
    CHECK(result.figures[0].path == "a/root");
    CHECK(worth_text(result.figures[0].certificates[0]) == "certified");
    CHECK(result.figures[0].certificates[0].error_ulp == 0.44);
    CHECK(worth_text(result.figures[1].certificates[0]) ==
          "off by 1 unit of the last printed digit");
    CHECK(worth_text(result.figures[1].certificates[1]) == "certified");
    CHECK(summary(result) == "3 figures: 2 certified, 1 off in the last digits");
    CHECK(result.find("b/0") == &result.figures[1]);
    CHECK(result.find("b/1") == nullptr);
}

TEST_CASE("digits of a number that is exactly zero are an artefact") {
    const Record results = Record().add("difference", Scalar{0x1p-52, {18}});
    const auto zero = [](int bits) {
        ExactFigures figures(bits);
        figures.add("difference", Enclosure(0, bits), 1e-15);
        return figures;
    };
    const Certification result = certification(results, zero);
    CHECK(worth_text(result.figures[0].certificates[0]) == "artefact: exactly 0");
    CHECK(result.figures[0].certificates[0].error_ulp == 4.5e15);
    CHECK(summary(result) == "1 figures: 0 certified, 1 artefact");
    CHECK(all_passed(result.checks));
}

TEST_CASE("a figure farther from its exact result than its bound fails the check") {
    CHECK(all_passed(certification(record(std::sqrt(2.0), 0), roots).checks));
    CHECK_FALSE(all_passed(certification(record(std::sqrt(2.0) + 2e-15, 0), roots).checks));
    CHECK_FALSE(all_passed(certification(record(std::sqrt(2.0), 1e-15), roots).checks));
}

TEST_CASE("precision is raised until the digits are decided") {
    // A half of a unit, but for 2^-200: 128 bits leave both neighbours open.
    const Record results = Record().add("half", Scalar{1, {0}});
    int largest = 0;
    const auto half = [&](int bits) {
        largest = bits;
        ExactFigures figures(bits);
        const Enclosure root = sqrt(Enclosure(2, bits));
        figures.add("half", root * root / Enclosure(4) + Enclosure(0x1p-200, bits), 1);
        return figures;
    };
    CHECK(certification(results, half).figures[0].certificates[0].worth == Worth::certified);
    CHECK(largest == 256);
    const auto open = [&](int bits) {
        largest = bits;
        ExactFigures figures(bits);
        const Enclosure root = sqrt(Enclosure(2, bits));
        figures.add("half", root * root / Enclosure(4), 1);
        return figures;
    };
    const Certification never = certification(results, open);
    CHECK(worth_text(never.figures[0].certificates[0]) == "undecided");
    CHECK(summary(never) == "1 figures: 0 certified, 1 undecided");
    CHECK(largest == 1024);
}

TEST_CASE("significant digits are certified by the last of them, wherever it stands") {
    const auto off = [](double shown, double exact, int digits) {
        const Record results =
            Record().add("figure", Scalar{shown, {6, numeric::Plus::omitted, digits}});
        const auto reference = [&](int bits) {
            ExactFigures figures(bits);
            figures.add("figure", Enclosure(exact, bits), 1e301);
            return figures;
        };
        return certification(results, reference).figures[0].certificates[0].units_off;
    };
    for (const double scale : {1e-300, 1e-5, 1.0, 1e5, 1e300}) {
        CHECK(off(1.2347 * scale, 1.2346 * scale, 4) == 0);
        CHECK(off(1.2347 * scale, 1.2372 * scale, 4) == 2);
        CHECK(off(-1.2347 * scale, -1.2362 * scale, 3) == 1);
        CHECK(off(9.9996 * scale, 9.9996 * scale, 4) == 0);
        CHECK(off(2.5 * scale, 2.5000001 * scale, 7) == 0);
        CHECK(off(2.5 * scale, 2.500001 * scale, 7) == 1);
    }
    CHECK(off(0, 0, 7) == 0);
    CHECK(off(0x1p-1074, 0x1p-1074, 17) == 0);
}

TEST_CASE("an enclosure too wide to tell fails no check, unless the figure is outside of it") {
    const auto wide = [](int bits) {
        ExactFigures figures(bits);
        figures.add("figure", widened(Enclosure(2, bits), numeric::power_of_two(0)), 1e-3);
        return figures;
    };
    const auto passes = [&](double shown) {
        return all_passed(certification(Record().add("figure", shown), wide).checks);
    };
    CHECK(passes(2.5));
    CHECK(passes(3));
    CHECK_FALSE(passes(3.01));
    CHECK_FALSE(passes(0.9));
    CHECK(summary(certification(Record().add("figure", 2.5), wide)) ==
          "1 figures: 0 certified, 1 undecided");
}

TEST_CASE("an error beyond its bound is told, whatever the digits are") {
    const Certification wrong = certification(record(std::sqrt(2.0) + 2e-15, 0), roots);
    CHECK(worth_text(wrong.figures[0].certificates[0]) == "certified, an error beyond its bound");
    CHECK_FALSE(worth_lines(wrong)[0].plain());
    CHECK(text(wrong).find("of:a/root error:") != std::string::npos);
}

TEST_CASE("a figure without an exact result is an error of the program") {
    const auto nothing = [](int bits) { return ExactFigures(bits); };
    CHECK_THROWS_AS(certification(record(1, 0), nothing), std::logic_error);
    const auto narrow = [](int bits) {
        ExactFigures figures = roots(bits);
        figures.add("b/0", Enclosure(1), 1);
        return figures;
    };
    CHECK_THROWS_AS(certification(record(1, 0), narrow), std::logic_error);
}
