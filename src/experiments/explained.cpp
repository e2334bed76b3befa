#include "experiments/explained.hpp"

#include <algorithm>
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

InputRejection not_finite(const std::vector<Input>& inputs, const std::string& what) {
    return InputRejection(blamed(inputs, false), what,
                          "values whose squares, products and sums stay finite");
}

}  // namespace

InputRejection explained(const std::vector<Input>& inputs, const nn::RmsNormError& error) {
    if (std::holds_alternative<nn::ZeroEnergyRow>(error.rejection())) {
        return without_variance(inputs, error.what());
    }
    if (std::holds_alternative<nn::TapeFailure>(error.rejection())) {
        return not_finite(inputs, error.what());
    }
    return InputRejection(blamed(inputs, false), error.what(), "");
}

InputRejection explained(const std::vector<Input>& inputs, const nn::NormalizationError& error) {
    const auto& rejection = error.rejection();
    if (std::holds_alternative<nn::ZeroVariance>(rejection) ||
        std::holds_alternative<nn::ZeroMeanSquare>(rejection)) {
        return without_variance(inputs, error.what());
    }
    return not_finite(inputs, error.what());
}

InputRejection explained(const std::vector<Input>& inputs, const autodiff::AutodiffError& error) {
    return not_finite(inputs, error.what());
}

}  // namespace rmsnorm::experiments
