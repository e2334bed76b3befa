#include "experiments/explained.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <variant>

namespace rmsnorm::experiments {
namespace {

// Of a key that the experiment has.
void add(std::vector<std::string>& keys, const std::vector<Input>& inputs, std::string_view key) {
    const bool known = std::any_of(inputs.begin(), inputs.end(),
                                   [&](const Input& input) { return input.key == key; });
    if (known) keys.emplace_back(key);
}

std::vector<std::string> blamed(const std::vector<Input>& inputs, bool epsilon_too) {
    std::vector<std::string> keys;
    if (!inputs.empty()) keys.emplace_back(inputs.front().key);
    if (epsilon_too) add(keys, inputs, "epsilon");
    return keys;
}

InputRejection without_variance(const std::vector<Input>& inputs, const std::string& what) {
    return InputRejection(
        blamed(inputs, true), what,
        "an epsilon above 0, or values that leave something other than 0 to divide by");
}

bool holds_real_numbers(const Input& input) {
    return std::visit(
        [](auto* target) {
            using Target = std::remove_pointer_t<decltype(target)>;
            return std::is_floating_point_v<Target> || std::is_same_v<Target, tensor::Tensor> ||
                   std::is_same_v<Target, std::vector<float>> ||
                   std::is_same_v<Target, std::vector<double>> ||
                   std::is_same_v<Target, std::vector<tensor::Tensor>>;
        },
        input.target);
}

// Where a number stopped being finite: in the squares, with epsilon, or later.
enum class At { square, statistic, result };

// Those that were given and enter it; the first where none was.
InputRejection not_finite(const std::vector<Input>& inputs, const std::string& what, At at) {
    constexpr std::string_view later[] = {"gain", "gamma", "beta", "upstream"};
    std::vector<std::string> keys;
    for (const Input& input : inputs) {
        const bool is_later =
            std::find(std::begin(later), std::end(later), input.key) != std::end(later);
        const bool enters =
            at == At::result || !(is_later || (at == At::square && input.key == "epsilon"));
        if (input.given && enters && holds_real_numbers(input)) keys.emplace_back(input.key);
    }
    return InputRejection(keys.empty() ? blamed(inputs, false) : keys, what,
                          "values whose squares, products and sums stay finite");
}

}  // namespace

InputRejection explained(const std::vector<Input>& inputs, const nn::RmsNormError& error) {
    if (std::holds_alternative<nn::ZeroEnergyRow>(error.rejection())) {
        return without_variance(inputs, error.what());
    }
    if (const auto* tape = std::get_if<nn::TapeFailure>(&error.rejection())) {
        // Adjoints come from the other end.
        const bool forward =
            std::holds_alternative<autodiff::NonFiniteForward>(tape->source.rejection());
        const bool with_gain = tape->stage == nn::RmsNormStage::apply_gain;
        const bool before_epsilon =
            tape->stage == nn::RmsNormStage::square || tape->stage == nn::RmsNormStage::mean_square;
        return not_finite(inputs, error.what(),
                          !forward || with_gain ? At::result
                          : before_epsilon      ? At::square
                                                : At::statistic);
    }
    return InputRejection(blamed(inputs, false), error.what(), "");
}

InputRejection explained(const std::vector<Input>& inputs, const nn::NormalizationError& error) {
    const auto& rejection = error.rejection();
    if (std::holds_alternative<nn::ZeroVariance>(rejection) ||
        std::holds_alternative<nn::ZeroMeanSquare>(rejection)) {
        return without_variance(inputs, error.what());
    }
    const bool statistic = std::holds_alternative<nn::NonFiniteVariance>(rejection) ||
                           std::holds_alternative<nn::NonFiniteMeanSquare>(rejection);
    return not_finite(inputs, error.what(), statistic ? At::statistic : At::result);
}

InputRejection explained(const std::vector<Input>& inputs, const autodiff::AutodiffError& error) {
    return not_finite(inputs, error.what(), At::result);
}

}  // namespace rmsnorm::experiments
