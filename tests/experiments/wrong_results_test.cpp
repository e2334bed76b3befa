// Each check finds every result that is off by four times its bound, whatever the case is.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "autodiff/gradient_check.hpp"
#include "evidence/layer_checks.hpp"
#include "experiments/exhibit/comparison.hpp"
#include "experiments/normalization/closed_form.hpp"
#include "experiments/normalization/constant.hpp"
#include "experiments/normalization/dense_stack.hpp"
#include "experiments/normalization/depth.hpp"
#include "experiments/normalization/latent.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/layer_norm_backward.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/rms_norm_backward.hpp"
#include "experiments/normalization/stats.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/forward.hpp"
#include "experiments/rmsnorm/gradient_check.hpp"
#include "experiments/rmsnorm/history.hpp"
#include "nn/normalization.hpp"
#include "support/drawn_cases.hpp"

using namespace rmsnorm;
namespace book = rmsnorm::experiments::normalization;
using book::Vector;
using drawn::Cases;
using evidence::Check;
using tensor::Tensor;

namespace {

constexpr int rounds = 60;
constexpr double off = 4;

float moved(float value, double by) {
    const float target = static_cast<float>(static_cast<double>(value) + by);
    const bool far =
        std::fabs(static_cast<double>(target) - static_cast<double>(value)) >= std::fabs(by);
    const float infinity = std::numeric_limits<float>::infinity();
    return far ? target : std::nextafter(target, by > 0 ? infinity : -infinity);
}

// `judge` gives a check of results in which one figure is off by `by`. The bound of that figure
// shows where its error is the worst of all.
void find_every_error(const std::function<Check(double by)>& judge) {
    const double bound = judge(1e30).bound;
    CAPTURE(bound);
    for (const double sign : {1.0, -1.0}) {
        const Check check = judge(sign * off * bound);
        CAPTURE(check.name);
        CAPTURE(check.measure);
        CAPTURE(check.bound);
        CHECK_FALSE(check.passed);
    }
    CHECK_FALSE(judge(std::numeric_limits<double>::quiet_NaN()).passed);
}

// The same where an error is measured in a unit of its own, which no figure tells, and grows in
// proportion: whether that unit is one of binary64's numbers, so that something could be found.
bool find_in_its_unit(const std::function<Check(double by)>& judge) {
    for (double huge = 1e300; huge > 1e-300; huge *= 1e-10) {
        const Check check = judge(huge);
        if (!(check.measure < 1e300)) continue;
        if (check.measure < 1e8 * check.bound) return false;
        const double by = off * check.bound * (huge / check.measure);
        if (by == 0) return false;
        CAPTURE(by);
        CAPTURE(check.bound);
        CHECK_FALSE(judge(by).passed);
        CHECK_FALSE(judge(-by).passed);
        return true;
    }
    return false;
}

Check named(const std::vector<Check>& checks, const std::string& name) {
    for (const Check& check : checks) {
        if (check.name == name) return check;
    }
    FAIL("no check is called " << name);
    return {};
}

// Runs over cases that the layer takes.
void over_cases(const std::function<void(Cases&)>& run) {
    Cases cases(7);
    int taken = 0;
    for (int tries = 0; taken < rounds; ++tries) {
        REQUIRE(tries < 20 * rounds);
        try {
            run(cases);
            ++taken;
        } catch (const nn::NormalizationError&) {
        } catch (const nn::RmsNormError&) {
        } catch (const autodiff::AutodiffError&) {
        }
    }
}

evidence::LayerCase layer_case(Cases& c) {
    const std::size_t width = c.width(16);
    return {c.rows(2, width), Tensor::vector(c.row(width)), c.rows(2, width), c.epsilon(),
            "drawn.gain"};
}

}  // namespace

TEST_CASE("a mean and a variance that are off are found") {
    over_cases([](Cases& c) {
        const book::Stats right = book::stats({c.row32(c.width(64)), {1, 2}});
        find_every_error([&](double by) {
            book::VectorStatistics wrong = right.a;
            wrong.mean = moved(wrong.mean, by);
            return named(book::statistics_checks("a", wrong), "a-mean");
        });
        // The bound allows for the mean that is told.
        find_every_error([&](double by) {
            book::VectorStatistics wrong = right.a;
            wrong.variance = by == 1e30 ? wrong.variance : moved(wrong.variance, 1.001 * by);
            return named(book::statistics_checks("a", wrong), "a-variance");
        });
    });
}

TEST_CASE("a normalized vector that is not centered or not divided is found") {
    over_cases([](Cases& c) {
        const std::size_t width = 1 + c.width(64);
        const book::LayerNorm right =
            book::layer_norm({c.row32(width), book::ones(width), book::zeros(width), 1e-5F});
        const double mean_bound = book::normalized_checks(right)[0].bound;
        const Check variance = book::normalized_checks(right)[1];
        book::LayerNorm wrong = right;
        for (float& value : wrong.normalized) value = moved(value, off * mean_bound);
        CHECK_FALSE(book::normalized_checks(wrong)[0].passed);
        const double square = book::magnitude(right.normalized) * book::magnitude(right.normalized);
        if (square == 0) return;
        for (std::size_t i = 0; i < width; ++i) {
            const auto value = static_cast<double>(right.normalized[i]);
            wrong.normalized[i] = moved(right.normalized[i],
                                        value * (std::sqrt(1 + off * variance.bound / square) - 1));
        }
        CHECK_FALSE(book::normalized_checks(wrong)[1].passed);
        const book::RmsNorm rms = book::rms_norm({right.inputs.input, book::ones(width), 1e-5F});
        const double magnitude = book::magnitude(rms.normalized);
        if (magnitude == 0) return;
        book::RmsNorm other = rms;
        const double part = off * book::normalized_rms_check(rms).bound / magnitude;
        for (float& value : other.normalized) {
            value = moved(value, static_cast<double>(value) * part);
        }
        CHECK_FALSE(book::normalized_rms_check(other).passed);
    });
}

TEST_CASE("an output of a stack of any depth that is off is found") {
    over_cases([](Cases& c) {
        Vector input = c.row32(c.width(64), 20);
        input[0] = 1;
        const book::Depth right = book::depth({input, {1, 3}, 1e-5F, true});
        for (std::size_t row = 0; row < 2; ++row) {
            find_every_error([&](double by) {
                book::Depth wrong = right;
                float& norm = wrong.rows[row].post_norm_output_norm;
                norm = moved(norm, by);
                return named(book::output_norm_checks(wrong), "post-norm-output-norm");
            });
            find_every_error([&](double by) {
                book::Depth wrong = right;
                float& norm = wrong.rows[row].pre_norm_output_norm;
                norm = moved(norm, by);
                return named(book::output_norm_checks(wrong), "pre-norm-output-norm");
            });
        }
    });
}

TEST_CASE("a component of LayerNorm's gradient that is off is found") {
    over_cases([](Cases& c) {
        const std::size_t width = c.width(40);
        const book::LayerNormBackwardInputs used{
            c.row32(width), c.row32(width, 20), c.epsilon32(), {}};
        const book::LayerNormBackward right = book::layer_norm_backward(used);
        const std::size_t at = c.below(width);
        for (const char* name : {"central-differences", "shift-invariance"}) {
            find_every_error([&](double by) {
                Vector wrong = right.input_gradient;
                // What sums to zero is off by its own error as well.
                wrong[at] = moved(wrong[at], 1.25 * by);
                return named(book::judged(used, wrong).checks, name);
            });
        }
    });
}

TEST_CASE("a component of either of RMSNorm's gradients that is off is found") {
    over_cases([](Cases& c) {
        const std::size_t width = c.width(40);
        const book::RmsNormBackwardInputs used{
            c.row32(width), c.row32(width, 20), c.row32(width, 20), c.epsilon32(), {}};
        const book::RmsNormBackward right = book::rms_norm_backward(used);
        const book::RmsNormTapeBounds bounds = book::tape_bounds(used);
        const std::size_t at = c.below(width);
        for (const std::string which : {"input", "gamma"}) {
            for (const char* name : {"-gradient-central-differences", "-gradient-binary32"}) {
                find_every_error([&](double by) {
                    nn::RmsNormGradients<float> wrong{right.input_gradient.closed_form,
                                                      right.gamma_gradient.closed_form};
                    float& component = (which == "input" ? wrong.input : wrong.gamma)[at];
                    component = moved(component, by);
                    return named(book::judged(used, wrong).checks, which + name);
                });
            }
            const book::TapeBounds& tape = which == "input" ? bounds.input : bounds.gamma;
            book::RmsNormGradient wrong =
                which == "input" ? right.input_gradient : right.gamma_gradient;
            wrong.closed_form64[at] +=
                off * tape.units * book::binary64_unit * tape.terms[at] + 1e-300;
            CHECK_FALSE(named(book::tape_checks(which, wrong, tape), which + "-tape").passed);
        }
    });
}

TEST_CASE("a component of equal values normalized that is off is found") {
    over_cases([](Cases& c) {
        const book::Constant right =
            book::constant({static_cast<float>(c.scale(50)), c.width(9), 1e-5F});
        find_every_error([&](double by) {
            book::Constant wrong = right;
            wrong.outcomes[1].output[0] = moved(wrong.outcomes[1].output[0], by);
            return named(book::constant_checks(wrong), "rms-norm-with-epsilon");
        });
    });
}

TEST_CASE("a magnitude of a dense stack or of a latent's output that is off is found") {
    over_cases([](Cases& c) {
        const Vector input = c.row32(c.width(16), 10);
        const book::DenseStack right = book::dense_stack({input, 5, 0.5F, 1e-5F});
        for (std::size_t run = 1; run < 3; ++run) {
            find_every_error([&](double by) {
                book::DenseStack wrong = right;
                wrong.runs[run].magnitudes[3] += by;
                return named(book::magnitude_checks(wrong), right.runs[run].norm + "-magnitude");
            });
        }
        const book::Latent latent = book::latent({input, 4, 5, 0.5F, 1e-5F});
        // Measured in units of the terms; one unit is what the measure moves by.
        for (std::size_t check = 0; check < 2; ++check) {
            const auto judged = [&](double by) {
                book::Latent wrong = latent;
                (check == 0 ? wrong.rows[5].plain_output : wrong.rows[5].normalized_output) += by;
                return book::latent_checks(wrong)[check];
            };
            const double unit = 1e30 / judged(1e30).measure;
            CHECK_FALSE(judged(off * unit * judged(0).bound).passed);
            CHECK_FALSE(judged(-off * unit * judged(0).bound).passed);
        }
    });
}

TEST_CASE("a component of the factored gradient that is off is found") {
    over_cases([](Cases& c) {
        const std::size_t width = c.width(40);
        const book::ClosedFormInputs used{c.row32(width), c.row32(width), c.epsilon32()};
        const book::ClosedForm right = book::closed_form(used);
        const std::size_t at = c.below(width);
        const auto judged = [&](double by) {
            std::vector<double> wrong = right.factored;
            wrong[at] += by;
            return book::judged(used, wrong).checks[0];
        };
        const double huge = 1e200;
        const double unit = huge / judged(huge).measure;
        CHECK_FALSE(judged(off * unit * right.error_bound + 1e-290).passed);
        CHECK_FALSE(judged(-off * unit * right.error_bound - 1e-290).passed);
    });
}

TEST_CASE("a result of the layer that is off is found") {
    over_cases([](Cases& c) {
        const evidence::LayerCase used = layer_case(c);
        const experiments::Forward forward = experiments::forward(used);
        const std::size_t at = c.below(used.gain.size());
        // The mean square of the first row, as its values grow.
        const std::size_t width = used.gain.size();
        double square = 0;
        for (std::size_t i = 0; i < width; ++i) {
            square += forward.normalized[i] * forward.normalized[i] / static_cast<double>(width);
        }
        if (square > 0) {
            find_every_error([&](double by) {
                Tensor wrong = forward.normalized;
                const double factor = std::sqrt(std::max(0.0, 1 + by / square));
                for (std::size_t i = 0; i < width; ++i) wrong[i] *= by == by ? factor : by;
                return evidence::closed_form_check(used.input, used.epsilon, wrong);
            });
        }
        Tensor output = forward.output;
        output[at] = std::nextafter(output[at], 1e308);
        CHECK_FALSE(evidence::row_independence_check(used, output).passed);
    });
}

TEST_CASE("an element of a gradient that is off is found by the differences of the formula") {
    for (const auto& draw : {layer_case, drawn::wide_case}) {
        int found = 0;
        over_cases([&](Cases& c) {
            const evidence::LayerCase used = draw(c);
            const experiments::Backward backward = experiments::backward(used);
            const std::size_t at = c.below(used.gain.size());
            const auto off_by = [&](Tensor tensor, double by) {
                tensor[at] += by;
                return tensor;
            };
            found += find_in_its_unit([&](double by) {
                return evidence::gain_gradient_check(used, off_by(backward.gain_gradient, by));
            });
            found += find_in_its_unit([&](double by) {
                return evidence::input_gradient_check(used, off_by(backward.input_gradient, by));
            });
        });
        CHECK(found > rounds);  // of two a round
    }
}

TEST_CASE("a result of any of the three norms of history that is off is found") {
    over_cases([](Cases& c) {
        const std::size_t width = c.width(16);
        const Tensor anchor = Tensor::vector(c.row(width));
        const auto right =
            experiments::history({anchor, {Tensor::vector(c.row(width))}, c.epsilon()});
        for (const char* name : {"batch-norm-closed-form", "layer-norm-mean"}) {
            find_every_error([&](double by) {
                experiments::History wrong = right;
                const bool batch = name[0] == 'b';
                for (std::size_t i = 0; i < (batch ? 1 : width); ++i) {
                    (batch ? wrong.batch_norm[0] : wrong.layer_norm)[i] += by;
                }
                return named(experiments::history_checks(wrong), name);
            });
        }
    });
}

TEST_CASE("a mean square of LayerNorm or RMSNorm in history that is off is found") {
    int judged = 0;
    over_cases([&](Cases& c) {
        const std::size_t width = c.width(16);
        const Tensor anchor = Tensor::vector(c.row(width));
        const auto right =
            experiments::history({anchor, {Tensor::vector(c.row(width))}, c.epsilon()});
        for (const std::string norm : {"rms-norm", "layer-norm"}) {
            const std::string name = norm + "-closed-form";
            const Tensor& values = norm == "rms-norm" ? right.rms_norm : right.layer_norm;
            double square = 0;
            for (const double value : values.values()) {
                square += value * value / static_cast<double>(width);
            }
            // Where rounding is as large as the row, nothing is too small.
            if (square <= off * named(experiments::history_checks(right), name).bound) continue;
            ++judged;
            find_every_error([&](double by) {
                experiments::History wrong = right;
                Tensor& changed = norm == "rms-norm" ? wrong.rms_norm : wrong.layer_norm;
                const double factor = std::sqrt(1 + by / square);
                for (std::size_t i = 0; i < width; ++i) changed[i] *= factor;
                return named(experiments::history_checks(wrong), name);
            });
        }
    });
    CHECK(judged > rounds);  // of two a round
}

TEST_CASE("a coordinate of a gradient that gradcheck compares and that is off is found") {
    for (const auto& draw : {layer_case, drawn::wide_case}) {
        int found = 0;
        over_cases([&](Cases& c) {
            const evidence::LayerCase used = draw(c);
            const experiments::Backward right = experiments::backward(used);
            const experiments::ProbeSettings fitting = experiments::fitting_settings(used);
            const experiments::GradientCheckCase probed{used, fitting.step, fitting.tolerance, 200,
                                                        0,    fitting.unit};
            for (const bool of_input : {true, false}) {
                const std::size_t at = c.below(of_input ? used.input.size() : used.gain.size());
                const auto judge = [&](double by) {
                    Tensor input = right.input_gradient;
                    Tensor gain = right.gain_gradient;
                    (of_input ? input : gain)[at] += by;
                    return named(experiments::gradient_checks(probed, input, gain).checks,
                                 of_input ? "input-gradient" : "gain-gradient");
                };
                CHECK_FALSE(judge(std::numeric_limits<double>::quiet_NaN()).passed);
                if (fitting.unit == experiments::ProbeUnit::row) {
                    found += find_in_its_unit(judge);
                    continue;
                }
                // These errors are divided by the gradients where they are larger than one.
                const double value = (of_input ? right.input_gradient : right.gain_gradient)[at];
                const double by = off * fitting.tolerance * std::max(1.0, std::fabs(value));
                CHECK_FALSE(judge(by).passed);
                CHECK_FALSE(judge(-by).passed);
                ++found;
            }
        });
        CHECK(found > rounds);  // of two a round
    }
}

TEST_CASE("one bit between LayerNorm and RMSNorm of the centered vector is found") {
    Cases c(3);
    for (int round = 0; round < rounds; ++round) {
        const Tensor right = Tensor::vector(c.row(c.width(64)));
        Tensor wrong = right;
        double& value = wrong[c.below(wrong.size())];
        value = std::nextafter(value, 1e308);
        CHECK(experiments::centering_check(right, right).passed);
        CHECK_FALSE(experiments::centering_check(right, wrong).passed);
    }
}
