// Figures and lines as text.
#include "report/figures.hpp"

#include <doctest/doctest.h>

#include "report/figures.hpp"

using namespace rmsnorm;
using report::Extent;

TEST_CASE("a figure is shown with its decimals and its sign") {
    CHECK(report::scalar_text(12.5) == "12.500000");
    CHECK(report::scalar_text(-0.0) == "-0.000000");
    CHECK(report::scalar_text(0.5, {0}) == "0");
    CHECK(report::scalar_text(1.5, {0}) == "2");
    CHECK(report::scalar_text(2.5, {1, numeric::Plus::shown}) == "+2.5");
    CHECK(report::scalar_text(-2.5, {1, numeric::Plus::shown}) == "-2.5");
}

TEST_CASE("a vector has no spaces, and an empty one is a pair of brackets") {
    CHECK(report::vector_text(tensor::Tensor::vector({3, -4})) == "[3.000000,-4.000000]");
    CHECK(report::vector_text(tensor::Tensor({2, 2}, {1, 2, 3, 4}), Extent::full, {1}) ==
          "[1.0,2.0,3.0,4.0]");
    CHECK(report::vector_text(tensor::Tensor({0, 2}, {})) == "[]");
    CHECK(report::vector_text(tensor::Tensor::scalar(1)) == "[1.000000]");
}

TEST_CASE("an abridged vector shows its first 64 values and says how many there are") {
    const auto text = [](std::size_t size, Extent extent) {
        return report::vector_text(tensor::Tensor::filled({size}, 1.0), extent, {0});
    };
    CHECK(text(64, Extent::abridged) == text(64, Extent::full));
    CHECK(text(65, Extent::full).size() == 1 + 65 * 2);
    std::string expected = "[";
    for (int i = 0; i < 64; ++i) expected += "1,";
    CHECK(text(65, Extent::abridged) == expected + "...(65 values)]");
    CHECK(report::shown_values(65, Extent::abridged) == 64);
    CHECK(report::shown_values(65, Extent::full) == 65);
    CHECK(report::shown_values(3, Extent::abridged) == 3);
}

TEST_CASE("a shape has no spaces") {
    CHECK(report::shape_text({}) == "[]");
    CHECK(report::shape_text({2}) == "[2]");
    CHECK(report::shape_text({0, 3, 2}) == "[0,3,2]");
}

TEST_CASE("truth is a word") {
    CHECK(report::truth_text(true) == "true");
    CHECK(report::truth_text(false) == "false");
    CHECK(report::truth_text(evidence::Decision::holds) == "true");
    CHECK(report::truth_text(evidence::Decision::undecided) == "undecided");
    CHECK(report::truth_text(evidence::Decision::fails) == "false");
}

TEST_CASE("lines are made of a name and parts, and all of them are ended") {
    CHECK(report::Lines().str().empty());
    report::Lines lines;
    lines.line("a").part("x", 1.5, {1}).part("y", "word");
    lines.line("b").shaped(tensor::Tensor({1, 2}, {1, 2}));
    lines.vector("c", tensor::Tensor::vector({3}));
    lines.line("d").text("e:f=g");
    CHECK(lines.str() ==
          "a=x:1.5 y:word\nb=shape:[1,2] values:[1.000000,2.000000]\nc=[3.000000]\nd=e:f=g\n");
}

TEST_CASE("a line's extent decides how much of its tensors is shown") {
    const tensor::Tensor long_tensor = tensor::Tensor::filled({100}, 0.0);
    report::Lines abridged(Extent::abridged);
    abridged.vector("v", long_tensor);
    CHECK(abridged.str().find(",...(100 values)]\n") != std::string::npos);
    report::Lines full(Extent::full);
    full.vector("v", long_tensor);
    CHECK(full.str().find("...") == std::string::npos);
}
