// No check of any experiment accuses a right result: drawn cases of every kind that has misled one.
#include <doctest/doctest.h>

#include <string>

#include "experiments/exhibit/comparison.hpp"
#include "experiments/normalization/closed_form.hpp"
#include "experiments/normalization/compare.hpp"
#include "experiments/normalization/constant.hpp"
#include "experiments/normalization/cost.hpp"
#include "experiments/normalization/dense_stack.hpp"
#include "experiments/normalization/depth.hpp"
#include "experiments/normalization/latent.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/layer_norm_backward.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/rms_norm_backward.hpp"
#include "experiments/normalization/stats.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/factor_error.hpp"
#include "experiments/rmsnorm/forward.hpp"
#include "experiments/rmsnorm/gradient_check.hpp"
#include "experiments/rmsnorm/history.hpp"
#include "experiments/rmsnorm/scale.hpp"
#include "experiments/rmsnorm/sweep.hpp"
#include "experiments/rmsnorm/zero.hpp"
#include "nn/normalization.hpp"
#include "support/drawn_cases.hpp"

using namespace rmsnorm;
namespace book = rmsnorm::experiments::normalization;
using book::Vector;
using drawn::Cases;
using tensor::Tensor;

namespace {

struct Tally {
    std::size_t held = 0;
    std::size_t refused = 0;
};

// Runs an experiment on cases until `wanted` were taken. A case that the layer refuses has no
// result to accuse; at most nine in ten may be refused.
template <class Run>
void try_cases(const char* experiment, std::size_t wanted, Tally& all, Run run) {
    Cases cases(23);
    Tally tally;
    const auto refuse = [&] { ++tally.refused; };
    while (tally.held < wanted) {
        REQUIRE_MESSAGE(tally.refused < 9 * wanted, experiment);
        try {
            const auto evidence = run(cases);
            const bool passed = evidence::all_passed(evidence.checks);
            ++tally.held;
            if (passed) continue;
            for (const auto& check : evidence.checks) {
                if (check.passed) continue;
                CAPTURE(experiment);
                CAPTURE(tally.held);
                CAPTURE(check.name);
                CAPTURE(check.measure);
                CAPTURE(check.bound);
                CHECK(check.passed);
            }
        } catch (const evidence::InputRejection&) {
            refuse();
        } catch (const nn::NormalizationError&) {
            refuse();
        } catch (const nn::RmsNormError&) {
            refuse();
        } catch (const autodiff::AutodiffError&) {
            refuse();
        } catch (const autodiff::GradientCheckError&) {
            refuse();
        } catch (const experiments::CompareError&) {
            refuse();
        } catch (const experiments::FactorError&) {
            refuse();
        }
    }
    all.held += tally.held;
}

evidence::LayerCase layer_case(Cases& cases) {
    const std::size_t width = cases.width();
    const std::size_t rows = 1 + cases.below(3);
    return {cases.rows(rows, width), Tensor::vector(cases.row(width)), cases.rows(rows, width),
            cases.epsilon(), "drawn.gain"};
}

Tensor vector(Cases& cases, std::size_t width) { return Tensor::vector(cases.row(width)); }

}  // namespace

TEST_CASE("no check of any experiment fails on the right results of 20,000 drawn cases") {
    Tally all;
    try_cases("stats", 1500, all, [](Cases& c) {
        const Vector a = c.row32(c.width());
        return book::stats({a, c.row32(c.width())});
    });
    try_cases("layer-norm", 2000, all, [](Cases& c) {
        const std::size_t width = c.width();
        return book::layer_norm(
            {c.row32(width), c.row32(width, 10), c.row32(width, 10), c.epsilon32()});
    });
    try_cases("rms-norm", 2000, all, [](Cases& c) {
        const std::size_t width = c.width();
        return book::rms_norm({c.row32(width), c.row32(width, 10), c.epsilon32()});
    });
    try_cases("compare of the book", 1500, all, [](Cases& c) {
        return book::compare(
            {c.epsilon32(), c.row32(c.width()), c.row32(c.width()), c.row32(c.width())});
    });
    try_cases("depth", 1000, all, [](Cases& c) {
        Vector input = c.row32(c.width());
        input[0] = static_cast<float>(c.unit());
        const bool final_norm = c.below(2) == 0;
        return book::depth({input, {1, 2, 9}, c.epsilon32(), final_norm});
    });
    try_cases("layer-norm-backward", 3000, all, [](Cases& c) {
        const std::size_t width = c.width();
        return book::layer_norm_backward({c.row32(width), c.row32(width), c.epsilon32(), {}});
    });
    try_cases("constant", 1000, all, [](Cases& c) {
        const bool unguarded = c.below(2) == 0;
        return book::constant(
            {static_cast<float>(c.scale(60)), c.width(), c.epsilon32(), unguarded});
    });
    try_cases("rms-norm-backward", 3000, all, [](Cases& c) {
        const std::size_t width = c.width();
        return book::rms_norm_backward(
            {c.row32(width), c.row32(width, 30), c.row32(width, 30), c.epsilon32(), {}});
    });
    try_cases("dense-stack", 300, all, [](Cases& c) {
        const auto seed = static_cast<std::uint32_t>(c.below(1000));
        const float spread = std::fabs(static_cast<float>(c.scale(20)));
        return book::dense_stack({c.row32(c.width(128)), seed, spread, c.epsilon32()});
    });
    try_cases("cost", 100, all, [](Cases& c) { return book::cost({c.width()}); });
    try_cases("closed-form", 1500, all, [](Cases& c) {
        const std::size_t width = c.width();
        return book::closed_form({c.row32(width), c.row32(width), c.epsilon32()});
    });
    try_cases("latent", 1000, all, [](Cases& c) {
        const auto seed = static_cast<std::uint32_t>(c.below(1000));
        const float spread = std::fabs(static_cast<float>(c.scale(20)));
        const std::size_t rank = c.width(64);
        return book::latent({c.row32(c.width(256)), rank, seed, spread, c.epsilon32()});
    });
    try_cases("forward", 1500, all, [](Cases& c) { return experiments::forward(layer_case(c)); });
    try_cases("backward", 700, all,
              [](Cases& c) { return experiments::checked_backward(layer_case(c)); });
    try_cases("batch", 700, all,
              [](Cases& c) { return experiments::checked_batch(layer_case(c)); });
    try_cases("gradcheck", 400, all, [](Cases& c) {
        const evidence::LayerCase used = layer_case(c);
        evidence::layer(used).forward(autodiff::Value::constant(used.input));
        const auto fitting = experiments::fitting_settings(used);
        return experiments::gradient_checks(
            {used, fitting.step, fitting.tolerance, 16, 1, fitting.unit});
    });
    try_cases("gradcheck at the ends of binary64", 3000, all, [](Cases& c) {
        const evidence::LayerCase used = drawn::wide_case(c);
        evidence::layer(used).forward(autodiff::Value::constant(used.input));
        const auto fitting = experiments::fitting_settings(used);
        return experiments::gradient_checks(
            {used, fitting.step, fitting.tolerance, 16, 1, fitting.unit});
    });
    try_cases("scale", 500, all, [](Cases& c) {
        const Tensor input = vector(c, c.width());
        const double epsilon = c.epsilon();
        return experiments::scale({{input, epsilon, c.scale(60)}});
    });
    try_cases("sweep", 300, all, [](Cases& c) {
        const Tensor input = vector(c, c.width());
        return experiments::sweep({input, c.epsilon(), 1e-6, 1e6, 5});
    });
    try_cases("zero", 100, all, [](Cases& c) {
        return experiments::zero({c.width(), c.epsilon()});
    });
    try_cases("history", 1000, all, [](Cases& c) {
        const std::size_t width = c.width();
        return experiments::checked_history({vector(c, width), {vector(c, width)}, c.epsilon()});
    });
    try_cases("compare of the exhibit", 1500, all, [](Cases& c) {
        const std::size_t width = c.width();
        const Tensor input = vector(c, width);
        return experiments::comparison(
            {input, c.scale(20), c.scale(20), c.epsilon(), vector(c, width)});
    });
    CHECK(all.held >= 20000);
}
