#include "numeric/seeded_normals.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

using namespace rmsnorm::numeric;

TEST_CASE("the numbers of seed 0 are PyTorch's within the error of its approximations") {
    // torch.manual_seed(0); torch.randn(1, 4, 8), printed by PyTorch 1.13.0 on x86-64.
    constexpr float by_pytorch[] = {
        -1.1258398294448853F, -1.152360200881958F,  -0.2505785822868347F,  -0.4338788092136383F,
        0.8487103581428528F,  0.6920091509819031F,  -0.31601276993751526F, -2.1152193546295166F,
        0.32227492332458496F, -1.2633347511291504F, 0.34998318552970886F,  0.30813392996788025F,
        0.11984150856733322F, 1.237657904624939F,   1.1167771816253662F,   -0.2472781538963318F,
        -1.3526537418365479F, -1.6959311962127686F, 0.5666506290435791F,   0.7935083508491516F,
        0.5988394618034363F,  -1.5550950765609741F, -0.3413603901863098F,  1.85300612449646F,
        0.750189483165741F,   -0.5854975581169128F, -0.1733967512845993F,  0.18347793817520142F,
        1.3893661499023438F,  1.586334228515625F,   0.946298360824585F,    -0.843676745891571F};
    const auto ours = seeded_normals(0, 2);
    REQUIRE(ours.size() == std::size(by_pytorch));
    for (std::size_t i = 0; i < ours.size(); ++i) {
        CAPTURE(i);
        // Its logarithm, sine and cosine are vectorised binary32 approximations.
        CHECK(std::abs(ours[i] - by_pytorch[i]) <= 2e-6F);
    }
}

TEST_CASE("a longer sequence starts with the shorter one, and another seed is another sequence") {
    const auto one = seeded_normals(7, 1);
    const auto three = seeded_normals(7, 3);
    REQUIRE(one.size() == 16);
    REQUIRE(three.size() == 48);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] == three[i]);
    CHECK(one != seeded_normals(8, 1));
    CHECK(seeded_normals(7, 0).empty());
}

TEST_CASE("many numbers have the moments of a standard normal distribution") {
    const auto normals = seeded_normals(1, 4096);
    double sum = 0;
    double squares = 0;
    double fourths = 0;
    for (const float normal : normals) {
        REQUIRE(std::isfinite(normal));
        const double square = static_cast<double>(normal) * normal;
        sum += normal;
        squares += square;
        fourths += square * square;
    }
    // n = 65536: the mean has standard deviation 1/256, the mean square sqrt(2)/256 and the mean
    // fourth power sqrt(96)/256. Six of each.
    const auto n = static_cast<double>(normals.size());
    CHECK(std::abs(sum / n) < 6.0 / 256);
    CHECK(std::abs(squares / n - 1) < 6 * 1.4143 / 256);
    CHECK(std::abs(fourths / n - 3) < 6 * 9.798 / 256);
}
