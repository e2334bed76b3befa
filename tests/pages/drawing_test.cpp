// Drawings and figures as people read them: one scale a figure, and digits that are the value's.
#include "pages/drawing.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "evidence/figure_text.hpp"
#include "experiments/exhibit/graph.hpp"
#include "pages/escape.hpp"
#include "pages/reading.hpp"
#include "pages/support.hpp"

namespace {

using namespace rmsnorm::pages_tests;
using evidence::Precision;

pages::Plot small_plot(pages::Axis x) {
    pages::Plot plot;
    plot.x = std::move(x);
    plot.y = {"y", false, 0, 4, {}};
    return plot;
}

TEST_CASE("a bar runs from zero to the value's share of the unit, to the side of its sign") {
    CHECK(contains(pages::bar(2, {4, false}), "x=\"0\" y=\"1\" width=\"50\""));
    CHECK(contains(pages::bar(-2, {4, true}), "x=\"25\" y=\"1\" width=\"25\""));
    CHECK(contains(pages::bar(4, {4, true}), "x=\"50\" y=\"1\" width=\"50\""));
    CHECK(contains(pages::bar(0, {0, false}), "width=\"0\""));
}

TEST_CASE("bars within one scale share its zero and its unit, whatever vector they are of") {
    const Document document =
        experiment(Record().add("a", Tensor::vector({1, 2})).add("b", Tensor::vector({-4, 8})));
    const std::string bars = filled("{{#scale a b}}{{bar a/0}}{{bar b/1}}{{/scale}}", document);
    // Room for both signs is 50 a side, and 8 fills it.
    CHECK(contains(bars, "x=\"50\" y=\"1\" width=\"6.2\""));
    CHECK(contains(bars, "x=\"50\" y=\"1\" width=\"50\""));
    CHECK(contains(fault("{{bar a/0}}", document), "a bar outside of {{#scale}}"));
}

TEST_CASE("a plot puts a point at its share of a logarithmic and of a linear axis") {
    pages::Plot plot = small_plot(pages::decade_axis({0.01, 100}));
    pages::Series series;
    series.points = {{0.01, 0}, {1, 1}, {100, 4}};
    plot.series = {series};
    const std::string drawing = pages::svg(plot, "");
    // The area is 84 to 696 across and 332 down to 40.
    CHECK(contains(drawing, "cx=\"84\" cy=\"332\""));
    CHECK(contains(drawing, "cx=\"390\" cy=\"259\""));
    CHECK(contains(drawing, "cx=\"696\" cy=\"40\""));
    // From point to point the line is straight.
    CHECK(contains(drawing, "d=\"M84 332L390 259L696 40\""));
    // The area of the narrow drawing is 64 to 346 across and 240 down to 36.
    CHECK(contains(drawing, "cx=\"64\" cy=\"240\""));
    CHECK(contains(drawing, "cx=\"205\" cy=\"189\""));
    CHECK(contains(drawing, "cx=\"346\" cy=\"36\""));
    CHECK(occurrences(drawing, "class=\"tick\"") == 2 * 5);
}

TEST_CASE("a narrow plot keeps every mark of an axis and drops the words that have no room") {
    pages::Axis axis{"x", false, 0, 20, {}};
    for (int i = 0; i <= 20; ++i) axis.ticks.push_back({double(i), std::to_string(i)});
    const std::string drawing = pages::svg(small_plot(axis), "");
    // Each drawing has the axis itself and 21 marks. The narrow one has 14.1 between two marks and
    // 40 at least between two words: at 0, 3, …, 18.
    CHECK(occurrences(drawing, "class=\"mark\"") == 2 * 22);
    CHECK(occurrences(drawing, "class=\"tick\"") == 21 + 7);
}

TEST_CASE("a band ends where the formula crosses its level") {
    // m / (m + epsilon) is one half where m is epsilon: at the factor 2 for m = 4 at factor 4 and
    // epsilon 1, since m grows with the square.
    const pages::SignalShare share(4, 4, 1);
    CHECK(share.at(2) == doctest::Approx(0.5).epsilon(1e-15));
    CHECK(share.factor_of(0.5) == doctest::Approx(2).epsilon(1e-15));
    CHECK(share.at(share.factor_of(0.99)) == doctest::Approx(0.99).epsilon(1e-14));
    CHECK(pages::SignalShare(4, 4, 0).at(1e-9) == 1);
}

TEST_CASE("an axis of powers of ten takes in the values at its ends and beside them") {
    const auto ends = [](std::vector<double> values) {
        const pages::Axis axis = pages::decade_axis(values);
        return std::pair(axis.low, axis.high);
    };
    CHECK(ends({0.01, 100}) == std::pair(0.01, 100.0));
    CHECK(ends({0.0099, 101}) == std::pair(0.001, 1000.0));
    CHECK(ends({5}) == std::pair(1.0, 10.0));
    CHECK(ends({1, 0, -3}) == std::pair(1.0, 10.0));
    CHECK(ends({}).first < ends({}).second);
    CHECK(ends({5e-324, 1.7e308}).first > 0);
}

TEST_CASE("figures of a column stand under each other by their points, whatever their sign") {
    evidence::Array rows;
    rows.items.push_back(Record().add("a", 1.5));
    rows.items.push_back(Record().add("a", -10.25));
    const Document document = experiment(Record().add("rows", rows));
    const std::string cells = filled("{{#each rows}}[{{aligned ./a}}]{{/each}}", document);
    const std::string figure_space = "\xe2\x80\x87";
    const std::string minus = "\xe2\x88\x92";
    const std::string sign = "<span class=\"sign\" aria-hidden=\"true\">" + minus + "</span>";
    CHECK(contains(cells, "[" + figure_space + sign + "<data class=\"n\""));
    CHECK(contains(cells, "data-path=\"rows/1/a\"><span>" + minus + "10.25</span></data>]"));
    // Of a power of ten alone the ten stands where digits would.
    rows.items.push_back(Record().add("a", 1e-5));
    const Document powers = experiment(Record().add("rows", rows));
    CHECK(contains(filled("{{#each rows}}[{{aligned ./a}}]{{/each}}", powers),
                   "[" + sign + "<data class=\"n\" value=\"0.000010\""));
}

// As text: powers of ten with ^.
std::string read(double value, int decimals, Precision precision = Precision::binary64) {
    const std::string digits = evidence::scalar_text(value, {decimals});
    const pages::Reading reading =
        pages::reading(value, digits, precision, pages::decimals_needed(value, digits, precision));
    const std::string times = reading.digits.empty() ? "10^" : "x10^";
    return reading.sign + reading.digits +
           (reading.exponent.empty() ? "" : times + reading.exponent);
}

TEST_CASE("an exact figure is read without zeros at its end, a rounded one with all its digits") {
    CHECK(read(3, 6) == "3");
    CHECK(read(12.5, 6) == "12.5");
    CHECK(read(0.0003, 6) == "0.0003");
    CHECK(read(1.0 / 3, 6) == "0.333333");
    // Nearly one is not one.
    CHECK(read(1 - 1e-9, 6) == "1.000000");
    // A binary32 figure is exact where its digits read back to its bits.
    CHECK(read(static_cast<double>(0.1F), 3, Precision::binary32) == "0.1");
    CHECK(read(static_cast<double>(0.1F), 3) == "0.100");
}

TEST_CASE("what the digits hardly show is read as a power of ten, only an exact zero as zero") {
    const std::string minus = "\xe2\x88\x92";
    CHECK(read(0, 6) == "0");
    CHECK(read(-0.0, 6) == minus + "0");
    CHECK(read(1e-5, 6) == "10^" + minus + "5");
    CHECK(read(-1e-5, 6) == minus + "10^" + minus + "5");
    // 1e-5 in binary32 is exact there, and in binary64 another number.
    CHECK(read(static_cast<double>(1e-5F), 6, Precision::binary32) == "10^" + minus + "5");
    CHECK(read(static_cast<double>(1e-5F), 6) == "1.00x10^" + minus + "5");
    CHECK(read(3.1622e-5, 6) == "3.16x10^" + minus + "5");
    CHECK(read(-2.7755575615628914e-17, 6) == minus + "2.78x10^" + minus + "17");
    CHECK(read(9.9999e-5, 6) == "1.00x10^" + minus + "4");
    CHECK(read(2.5e-6, 6) == "2.5x10^" + minus + "6");
    // One digit shown of a rounded figure.
    CHECK(read(0.00031234, 4) == "3.12x10^" + minus + "4");
    CHECK(read(1e150, 6) == "10^150");
    CHECK(read(std::numeric_limits<double>::max(), 6) == "1.7976931348623157x10^308");
    CHECK(read(std::numeric_limits<double>::denorm_min(), 6) == "5x10^" + minus + "324");
    CHECK(read(std::numeric_limits<double>::infinity(), 6) == "inf");
}

TEST_CASE("a power of ten names itself for who listens, and a long number breaks in groups") {
    const std::string power = "10<sup><span class=\"spoken\"> to the power </span>";
    CHECK(pages::Reading{"", "2.5", "-6"}.html() == "2.5\xc3\x97" + power + "-6</sup>");
    CHECK(pages::Reading{"+", "", "9"}.html() == "+" + power + "9</sup>");
    // Never before its last digit.
    CHECK(pages::Reading{"", "0.1234567890", ""}.html() == "0.1234567890");
    CHECK(pages::Reading{"", "0.12345678901", ""}.html() == "0.123<wbr>456<wbr>78901");
}

TEST_CASE("a ghost stands where the other value's bar would end") {
    // 0.8 wide about its middle.
    const std::string plain = pages::bar(2, {4, true});
    const std::string ghosted = pages::bar(2, {4, true}, -4);
    CHECK_FALSE(contains(plain, "ghost"));
    CHECK(contains(ghosted, "class=\"ghost\" x=\"0\""));
    CHECK(contains(pages::bar(2, {4, true}, 2.0), "class=\"ghost\" x=\"74.6\""));
    const Document document = experiment(Record().add("a", Tensor::vector({1, 2})));
    CHECK(contains(filled("{{#scale a}}{{bar a/0 ghost=a/1}}{{/scale}}", document), "ghost"));
    CHECK(contains(fault("{{#scale a}}{{bar a/0 ghost=a/2}}{{/scale}}", document), "a/2"));
}

TEST_CASE("an axis says what the ends of the bars stand for") {
    CHECK(pages::scale_ends({4, false}) == "<span>0</span><span>4</span>");
    CHECK(
        pages::scale_ends({1e150, false}) ==
        "<span>0</span><span>10<sup><span class=\"spoken\"> to the power </span>150</sup></span>");
    CHECK(pages::scale_ends({1.578704, true}) ==
          "<span>\xe2\x88\x92"
          "1.58</span><span>0</span><span>1.58</span>");
    CHECK(contains(fault("{{scale-ends}}", experiment(Record())), "outside of {{#scale}}"));
}

TEST_CASE("the drawing of the layers has every layer and every edge of the graph and no other") {
    const std::string drawing = filled("{{> parts/layer-graph}}", experiment(Record()));
    const experiments::Graph graph = experiments::graph(1e-6);
    for (const experiments::Layer& layer : graph.layers) {
        CAPTURE(layer.id);
        CHECK(occurrences(drawing, "data-layer=\"" + pages::escaped(layer.id) + "\"") == 1);
    }
    CHECK(occurrences(drawing, "data-layer=") == graph.layers.size());
    for (const experiments::Connection& edge : graph.connections) {
        CAPTURE(edge.source);
        CAPTURE(edge.target);
        CHECK(occurrences(drawing, "data-edge=\"" +
                                       pages::escaped(edge.source + " > " + edge.target) + "\"") ==
              1);
    }
    CHECK(occurrences(drawing, "data-edge=") == graph.connections.size());
    // The steps of the reading are numbered in the drawing, and one opens it.
    CHECK(occurrences(drawing, "class=\"step") == experiments::steps().size());
    CHECK(occurrences(drawing, "class=\"step opening\"") == 1);
}

}  // namespace
