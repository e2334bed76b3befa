#include "numeric/operation_counter.hpp"

#include <doctest/doctest.h>

using rmsnorm::numeric::CountingNumber;
using rmsnorm::numeric::OperationCounts;

TEST_CASE("each operation is tallied once under its own name and computes what binary64 does") {
    OperationCounts counts;
    const CountingNumber a(9, &counts);
    const CountingNumber b(2, &counts);
    CHECK(static_cast<double>(a + b) == 11);
    CHECK(counts == OperationCounts{0, 1, 0, 0});
    CHECK(static_cast<double>(a - b) == 7);
    CHECK(counts == OperationCounts{0, 2, 0, 0});
    CHECK(static_cast<double>(a * b) == 18);
    CHECK(counts == OperationCounts{1, 2, 0, 0});
    CHECK(static_cast<double>(a / b) == 4.5);
    CHECK(counts == OperationCounts{1, 2, 1, 0});
    CHECK(static_cast<double>(sqrt(a)) == 3);
    CHECK(counts == OperationCounts{1, 2, 1, 1});
}

TEST_CASE("a constant counts where its partner counts, and two constants nowhere") {
    OperationCounts counts;
    const CountingNumber counting(3, &counts);
    const CountingNumber constant(1);
    static_cast<void>(constant + constant);
    CHECK(counts == OperationCounts{});
    static_cast<void>(constant / counting);
    static_cast<void>(counting / constant);
    CHECK(counts == OperationCounts{0, 0, 2, 0});
    static_cast<void>((constant + counting) * constant);
    CHECK(counts == OperationCounts{1, 1, 2, 0});
}
