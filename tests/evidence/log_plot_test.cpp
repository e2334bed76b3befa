#include "evidence/log_plot.hpp"

#include <doctest/doctest.h>

using rmsnorm::evidence::log_plot;

TEST_CASE("a decade's ends and its middle stand at the ends and in the middle") {
    // Sixty columns a decade: 1 at column 0, 10 at column 60; the root of ten at 30.
    const std::string plot = log_plot(
        "size", {"a", "bb"}, {{'o', "one", {1, 10}}, {'+', "two", {10, 3.1622776601683795}}});
    CHECK(plot ==
          "size, logarithmic: o one + two\n"
          "    1e0                                                       1e1\n"
          " a |o" +
              std::string(59, ' ') +
              "+\n"
              "bb |" +
              std::string(30, ' ') + "+" + std::string(29, ' ') + "o\n");
}

TEST_CASE("marks that meet become a star, and what has no logarithm stands at the left end") {
    const std::string plot = log_plot("t", {"1", "2"}, {{'o', "x", {2, 0}}, {'+', "y", {2, 5}}});
    CHECK(plot.find('*') != std::string::npos);
    CHECK(plot.find("2 |<") != std::string::npos);
}
