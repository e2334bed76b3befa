#include "experiments/normalization/cost.hpp"

#include <doctest/doctest.h>

using namespace rmsnorm;
namespace book = rmsnorm::experiments::normalization;

TEST_CASE("LayerNorm holds two parameters a feature and RMSNorm one") {
    const book::Cost cost = book::cost({6});
    CHECK(cost.layer_norm.parameters == 12);
    CHECK(cost.rms_norm.parameters == 6);
}

TEST_CASE("RMSNorm at width 512 takes half of LayerNorm's arithmetic") {
    const book::Cost cost = book::cost({512});
    CHECK(cost.layer_norm.counts == numeric::OperationCounts{1536, 2561, 3, 1});
    CHECK(cost.rms_norm.counts == numeric::OperationCounts{1536, 513, 2, 1});
    CHECK(cost.ratio == 4101.0 / 2052);
    book::Cost wrong = cost;
    ++wrong.rms_norm.counts.additions;
    CHECK_FALSE(book::cost_checks(wrong)[1].passed);
    --wrong.layer_norm.counts.divisions;
    CHECK_FALSE(book::cost_checks(wrong)[0].passed);
}
