// The JSON readers: values and cases.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/input/case.hpp"
#include "properties.hpp"

using namespace rmsnorm;

namespace {

void flatten(const nlohmann::json& value, std::vector<double>& numbers) {
    if (value.is_array()) {
        for (const nlohmann::json& member : value) flatten(member, numbers);
    } else {
        numbers.push_back(value.get<double>());
    }
}

// The parser's own tree holds the same numbers (== lets -0 written as an integer equal 0).
void require_same_as_tree(const tensor::Tensor& values, const nlohmann::json& tree) {
    std::vector<double> numbers;
    flatten(tree.is_array() ? tree : tree.at("values"), numbers);
    fuzz::require(
        std::equal(numbers.begin(), numbers.end(), values.values().begin(), values.values().end()),
        "the numbers of the tree");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    cli::Limits limits;
    limits.max_elements = 1 << 16;
    try {
        const tensor::Tensor values = test::json_tensor("fuzz", bytes, limits);
        fuzz::require_sound(values, limits);
        fuzz::require(values.size() > 0, "not empty");
        require_same_as_tree(values, nlohmann::json::parse(bytes));
    } catch (const cli::InputError& error) {
        fuzz::require_clear(error);
    }
    try {
        const cli::Case whole = cli::case_of(test::json("fuzz", bytes), limits);
        for (const auto& values : {whole.input, whole.gain, whole.upstream}) {
            if (values) fuzz::require_sound(*values, limits);
        }
        if (whole.shape && whole.input) {
            fuzz::require(*whole.shape == whole.input->shape(), "the input has the shape");
        }
        if (whole.epsilon) fuzz::require(std::isfinite(*whole.epsilon), "finite epsilon");
    } catch (const cli::InputError& error) {
        fuzz::require_clear(error);
    }
    return 0;
}
