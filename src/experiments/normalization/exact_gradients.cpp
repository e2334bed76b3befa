#include "experiments/normalization/exact.hpp"
#include "experiments/normalization/exact_parts.hpp"

namespace rmsnorm::experiments::normalization {

using namespace exact_parts;

namespace {

// A distance of two computed numbers, which are what it is computed from.
double measure(const Disagreement& disagreement) { return static_cast<double>(disagreement.value); }

Row64 widened_row(const Row32& values) { return {values.begin(), values.end()}; }

}  // namespace

ExactFigures exact_figures(const LayerNormBackward& e, int bits) {
    ExactFigures figures(bits);
    const auto& c = e.inputs;
    const Reals input = reals(c.input, bits);
    const Reals upstream = reals(c.upstream, bits);
    const Enclosure epsilon = real(c.epsilon, bits);
    const Row32 rounded = exact_row(c.input);
    const Row32 rounded_upstream = exact_row(c.upstream);
    const nn::RealNorm norm = nn::real_layer_norm(input, epsilon);
    const auto pass = plain_layer_norm(rounded, c.epsilon);
    figures.given("layer_norm_backward/input", widened(c.input));
    figures.add("layer_norm_backward/normalized", norm.normalized(), numeric::errors(pass.output));
    figures.given("layer_norm_backward/upstream", widened(c.upstream));
    figures.add("layer_norm_backward/inverse_standard_deviation", norm.inverse,
                pass.inverse_standard_deviation.error());
    // A central difference estimates the derivative, which is its exact result.
    const Reals gradient = nn::real_layer_norm_gradient(input, upstream, epsilon);
    figures.add("layer_norm_backward/numerical_gradient", gradient, e.numerical_error);
    figures.given("layer_norm_backward/largest_disagreement/value",
                  measure(e.largest_disagreement));
    figures.add("layer_norm_backward/input_gradient", gradient,
                numeric::errors(nn::layer_norm_backward<Rounded64, Rounded32>(
                    rounded_upstream, pass.output, pass.inverse_standard_deviation)));
    return figures;
}

ExactFigures exact_figures(const RmsNormBackward& e, int bits) {
    ExactFigures figures(bits);
    const auto& c = e.inputs;
    const Reals input = reals(c.input, bits);
    const Reals gamma = reals(c.gamma, bits);
    const Reals upstream = reals(c.upstream, bits);
    const Enclosure epsilon = real(c.epsilon, bits);
    const Row32 rounded = exact_row(c.input);
    const Row32 rounded_gamma = exact_row(c.gamma);
    const Row32 rounded_upstream = exact_row(c.upstream);
    const nn::RealNorm norm = nn::real_rms_norm(input, epsilon);
    const auto pass = plain_rms_norm(rounded, c.epsilon);
    const std::string path = "rms_norm_backward/";
    figures.given(path + "input", widened(c.input));
    figures.given(path + "gamma", widened(c.gamma));
    figures.given(path + "upstream", widened(c.upstream));
    figures.add(path + "normalized", norm.normalized(), numeric::errors(pass.output));
    figures.add(path + "inverse_rms", norm.inverse, pass.inverse_rms.error());

    const auto narrow = nn::rms_norm_backward<Rounded64, Rounded32>(
        rounded_upstream, pass.output, rounded_gamma, pass.inverse_rms);
    const Row64 wide_input = widened_row(rounded);
    const Row64 wide_gamma = widened_row(rounded_gamma);
    const Row64 wide_upstream = widened_row(rounded_upstream);
    const auto wide_epsilon = static_cast<double>(c.epsilon);
    const auto wide_pass = nn::rms_norm<Rounded64, Rounded64>(wide_input, Rounded64(wide_epsilon));
    const auto wide = nn::rms_norm_backward<Rounded64, Rounded64>(
        wide_upstream, wide_pass.output, wide_gamma, wide_pass.inverse_rms);
    const auto tape_pass = nn::rounded_rms_norm(wide_input, wide_gamma, wide_epsilon);
    const auto tape_input = nn::rounded_rms_norm_gradient(
        wide_input, nn::products(wide_upstream, wide_gamma), wide_epsilon);
    const Reals by_input =
        nn::real_rms_norm_gradient(input, nn::products(upstream, gamma), epsilon);
    const std::string in = path + "input_gradient/";
    figures.add(in + "closed_form", by_input, numeric::errors(narrow.input));
    figures.add(in + "numerical", by_input, e.input_gradient.numerical_error);
    figures.given(in + "largest_disagreement/value",
                  measure(e.input_gradient.largest_disagreement));
    figures.add(in + "tape", by_input, numeric::errors(tape_input));
    figures.add(in + "closed_form_binary64", by_input, numeric::errors(wide.input));

    const Reals by_gamma = nn::products(upstream, norm.normalized());
    const std::string gain = path + "gamma_gradient/";
    figures.add(gain + "closed_form", by_gamma, numeric::errors(narrow.gamma));
    figures.add(gain + "numerical", by_gamma, e.gamma_gradient.numerical_error);
    figures.given(gain + "largest_disagreement/value",
                  measure(e.gamma_gradient.largest_disagreement));
    figures.add(gain + "tape", by_gamma,
                numeric::errors(nn::products(wide_upstream, tape_pass.normalized)));
    figures.add(gain + "closed_form_binary64", by_gamma, numeric::errors(wide.gamma));
    return figures;
}

ExactFigures exact_figures(const ClosedForm& e, int bits) {
    ExactFigures figures(bits);
    const auto& c = e.inputs;
    const Reals input = reals(c.input, bits);
    const Reals upstream = reals(c.upstream, bits);
    const Enclosure epsilon = real(c.epsilon, bits);
    const Row64 rounded = widened_row(exact_row(c.input));
    const Row64 rounded_upstream = widened_row(exact_row(c.upstream));
    const auto wide_epsilon = static_cast<double>(c.epsilon);
    const nn::RealNorm norm = nn::real_layer_norm(input, epsilon);
    const auto pass = nn::layer_norm<Rounded64, Rounded64>(rounded, Rounded64(wide_epsilon));
    const Reals gradient = nn::real_layer_norm_gradient(input, upstream, epsilon);
    const Enclosure width(static_cast<double>(input.size()), bits);
    const std::string path = "closed_form/";
    figures.given(path + "input", widened(c.input));
    figures.given(path + "upstream", widened(c.upstream));
    figures.add(path + "normalized", norm.normalized(), numeric::errors(pass.output));
    figures.add(path + "inverse_standard_deviation", norm.inverse,
                pass.inverse_standard_deviation.error());
    figures.add(path + "upstream_mean", nn::mean(upstream),
                nn::mean<Rounded64, Rounded64>(rounded_upstream).error());
    figures.add(path + "product_mean",
                nn::inner_product(norm.numerators, upstream) / width * norm.factor,
                nn::mean_product<Rounded64, Rounded64>(pass.output, rounded_upstream).error());
    figures.add(path + "factored_gradient", gradient,
                numeric::errors(nn::layer_norm_backward<Rounded64, Rounded64>(
                    rounded_upstream, pass.output, pass.inverse_standard_deviation)));
    figures.add(
        path + "tape_gradient", gradient,
        numeric::errors(nn::rounded_layer_norm_gradient(rounded, rounded_upstream, wide_epsilon)));
    // Measures of the rounding itself: what they are computed from are the computed numbers.
    figures.given(path + "largest_error", e.largest_error);
    figures.given(path + "error_bound", e.error_bound);
    return figures;
}

}  // namespace rmsnorm::experiments::normalization
