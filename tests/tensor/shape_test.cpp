#include "tensor/shape.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>

#include "support/naive_indexing.hpp"
#include "support/rejection.hpp"
#include "tensor/error.hpp"

using namespace rmsnorm;
using namespace rmsnorm::tensor;
using testing::rejection;

namespace {

constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
constexpr std::size_t most = largest / 2 / sizeof(double);

}  // namespace

TEST_CASE("a shape holds the product of its axes, and one element without axes") {
    CHECK(element_count({}) == 1);
    CHECK(element_count({1}) == 1);
    CHECK(element_count({7}) == 7);
    CHECK(element_count({2, 3, 4}) == 24);
}

TEST_CASE("a shape with an empty axis holds nothing, however large the others are") {
    CHECK(element_count({0}) == 0);
    CHECK(element_count({largest, 0}) == 0);
    CHECK(element_count({0, largest, largest}) == 0);
    CHECK(element_count({largest, largest, 0}) == 0);
}

TEST_CASE("a shape may hold as many elements as memory can address, and not one more") {
    CHECK(element_count({most}) == most);
    CHECK(element_count({1, most, 1}) == most);
    const auto refused =
        rejection<TensorError, ElementCountOverflow>([] { element_count({most + 1}); });
    CHECK(refused.fields.shape == Shape{most + 1});
    CHECK(refused.message ==
          "shape [" + std::to_string(most + 1) + "] has more elements than can be addressed");
    rejection<TensorError, ElementCountOverflow>([] { element_count({most, 2}); });
    rejection<TensorError, ElementCountOverflow>([] { element_count({2, most}); });
}

TEST_CASE("a product of axes that wraps around to a small number is refused") {
    constexpr std::size_t half = std::size_t{1} << (std::numeric_limits<std::size_t>::digits / 2);
    static_assert(half * half == 0, "the product wraps around to zero");
    rejection<TensorError, ElementCountOverflow>([] { element_count({half, half}); });
    rejection<TensorError, ElementCountOverflow>([] { element_count({3, half, half}); });
    rejection<TensorError, ElementCountOverflow>([] { element_count({largest, largest}); });
}

TEST_CASE("shapes are broadcast from the last axis backwards, in both directions") {
    for (const auto& example : testing::broadcast_cases()) {
        CAPTURE(to_text(example.left));
        CAPTURE(to_text(example.right));
        CHECK(broadcast(example.left, example.right) == example.together);
        CHECK(broadcast(example.right, example.left) == example.together);
    }
}

TEST_CASE("axes of different sizes are refused, also when one is empty") {
    const auto refused = rejection<TensorError, BroadcastMismatch>([] {
        broadcast({2, 3}, {2, 2});
    });
    CHECK(refused.fields.left == Shape{2, 3});
    CHECK(refused.fields.right == Shape{2, 2});
    CHECK(refused.message == "shapes [2, 3] and [2, 2] cannot be broadcast together");
    rejection<TensorError, BroadcastMismatch>([] { broadcast({2, 3}, {2}); });
    rejection<TensorError, BroadcastMismatch>([] { broadcast({0}, {2}); });
    rejection<TensorError, BroadcastMismatch>([] { broadcast({3, 0}, {0, 0}); });
}

TEST_CASE("messages quote a shape with a space after each comma") {
    CHECK(to_text({}) == "[]");
    CHECK(to_text({2}) == "[2]");
    CHECK(to_text({1, 0, 12}) == "[1, 0, 12]");
}
