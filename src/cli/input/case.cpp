#include "cli/input/case.hpp"

#include "cli/input/tensor_input.hpp"
#include "cli/input/tensor_json.hpp"

namespace rmsnorm::cli {

Case case_of(const JsonNode& node, const Limits& limits) {
    if (!node.is(JsonKind::object)) throw node.refusal(accepted_case);
    const auto inputs = node.find("inputs");
    if (inputs && !inputs->is(JsonKind::object)) throw inputs->refusal(accepted_case);
    // Another experiment's inputs may hold more.
    if (!inputs) {
        require_known_keys(node, {"shape", "input", "gain", "gain_name", "upstream", "epsilon"});
    }
    const JsonNode& given = inputs ? *inputs : node;
    Case result;
    if (const auto shape = given.find("shape")) result.shape = shape_of(*shape);
    const auto tensor = [&](const char* key) -> std::optional<tensor::Tensor> {
        const auto found = given.find(key);
        if (!found) return std::nullopt;
        return result.shape ? tensor_of(*found, limits, *result.shape) : tensor_of(*found, limits);
    };
    result.input = tensor("input");
    result.upstream = tensor("upstream");
    if (const auto gain = given.find("gain")) result.gain = tensor_of(*gain, limits);
    if (const auto name = given.find("gain_name")) result.gain_name = text_of(*name);
    if (const auto epsilon = given.find("epsilon")) result.epsilon = number_of(*epsilon);
    if (result.input && result.upstream && result.upstream->rank() == 1 &&
        result.upstream->size() == result.input->size()) {
        const auto values = result.upstream->values();
        result.upstream.emplace(result.input->shape(),
                                std::vector<double>(values.begin(), values.end()));
    }
    return result;
}

Case read_case(std::string_view option, std::string_view argument, const Limits& limits) {
    constexpr std::size_t tensors = 3;
    return case_of(read_json(option, argument, accepted_case, tensors, limits), limits);
}

}  // namespace rmsnorm::cli
