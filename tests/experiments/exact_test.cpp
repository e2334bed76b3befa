#include "experiments/exhibit/exact.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "evidence/certificate.hpp"
#include "experiments/normalization/exact.hpp"
#include "experiments/rmsnorm/exact.hpp"

using namespace rmsnorm;
using namespace rmsnorm::experiments;
using evidence::Certification;
using tensor::Tensor;

namespace {

template <class Evidence>
Certification certified(const Evidence& of) {
    return evidence::certification(results(of), [&](int bits) { return exact_figures(of, bits); });
}

template <class Evidence>
bool within_bounds(const Evidence& of) {
    return evidence::all_passed(certified(of).checks);
}

class Numbers {
  public:
    explicit Numbers(std::uint32_t seed) : generator_(seed) {}

    // Of magnitudes from 2^-reach to 2^reach.
    double next(int reach) {
        const double fraction = (static_cast<double>(generator_()) - 0x1p31) * 0x1p-31;
        return std::ldexp(
            fraction,
            static_cast<int>(generator_() % (2U * static_cast<unsigned>(reach) + 1U)) - reach);
    }
    Tensor tensor(tensor::Shape shape, int reach) {
        Tensor tensor = Tensor::filled(std::move(shape), 0);
        for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] = next(reach);
        return tensor;
    }

  private:
    std::mt19937 generator_;
};

LayerCase random_case(Numbers& numbers, int reach, double epsilon) {
    return {numbers.tensor({3, 5}, reach), numbers.tensor({5}, 2), numbers.tensor({3, 5}, 2),
            epsilon, "gain"};
}

}  // namespace

TEST_CASE("every figure of the fixtures has an exact result and is as near to it as its bound") {
    CHECK(within_bounds(chapter()));
    CHECK(within_bounds(normalization::book()));
    CHECK(within_bounds(exhibit()));
}

TEST_CASE(
    "figures of random inputs of any magnitude are as near to their exact results as bounded") {
    Numbers numbers(1);
    for (int i = 0; i < 40; ++i) {
        const int reach = i % 4 == 0 ? 100 : 3;
        const LayerCase one =
            random_case(numbers, reach, i % 3 == 0 ? 0 : std::fabs(numbers.next(8)));
        CHECK(within_bounds(forward(one)));
        CHECK(within_bounds(backward(one)));
        CHECK(within_bounds(batch(one)));
        CHECK(within_bounds(scale({{one.input, one.epsilon, numbers.next(8)}})));
        const ComparisonInputs pair{numbers.tensor({7}, reach), numbers.next(4), numbers.next(4),
                                    std::fabs(numbers.next(8)), numbers.tensor({7}, 2)};
        CHECK(within_bounds(comparison(pair)));
    }
}

TEST_CASE("a wrong result of any figure fails the check") {
    // The thirteenth digit of one value of each tensor.
    Forward pass = chapter().forward;
    for (Tensor Forward::*member :
         {&Forward::mean_square, &Forward::inverse_rms, &Forward::normalized, &Forward::output}) {
        Forward wrong = pass;
        (wrong.*member)[0] *= 1 + 1e-13;
        CHECK_FALSE(within_bounds(wrong));
    }
    Backward gradients = chapter().backward;
    for (Tensor Backward::*member : {&Backward::input_gradient, &Backward::gain_gradient}) {
        Backward wrong = gradients;
        (wrong.*member)[1] *= 1 + 1e-13;
        CHECK_FALSE(within_bounds(wrong));
    }
    // The gradient of a layer whose RMS is a constant: the projection is forgotten.
    Backward constant = gradients;
    for (std::size_t i = 0; i < 2; ++i) {
        constant.input_gradient[i] =
            gradients.upstream[i] * gradients.gain[i] * pass.inverse_rms[0];
    }
    CHECK_FALSE(within_bounds(constant));
    History norms = chapter().history;
    norms.layer_norm[0] *= 1 + 1e-13;
    CHECK_FALSE(within_bounds(norms));

    normalization::Stats stats = normalization::stats({});
    stats.a.variance *= 1.0001F;
    CHECK_FALSE(within_bounds(stats));
    normalization::Depth depth = normalization::depth({});
    depth.rows.back().post_norm_output_norm *= 1.001F;
    CHECK_FALSE(within_bounds(depth));
    normalization::Latent latent = normalization::latent({});
    latent.rows[3].normalized_output *= 1.0001;
    CHECK_FALSE(within_bounds(latent));
    // Weights from another seed.
    normalization::DenseStack dense = normalization::dense_stack({});
    ++dense.inputs.seed;
    CHECK_FALSE(within_bounds(dense));
    Comparison compared = exhibit().cases[1].comparison;
    compared.layer_norm[0] *= 1 + 1e-12;
    CHECK_FALSE(within_bounds(compared));
}
