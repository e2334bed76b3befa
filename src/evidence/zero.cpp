#include "evidence/zero.hpp"

#include "evidence/layer_case.hpp"

namespace rmsnorm::evidence {
Zero zero(std::size_t feature_width, double epsilon) {
    const nn::RmsNorm norm = unit_gain_layer(feature_width, epsilon);
    const auto input = tensor::Tensor::filled({feature_width}, 0.0);
    const tensor::Tensor output = norm.forward(autodiff::Value::constant(input)).tensor();
    return {epsilon, input, output, !tensor::first_non_finite(output), {}};
}

Record inputs(const Zero& evidence) {
    return Record().add("width", evidence.input.size()).add("epsilon", evidence.epsilon);
}

Record results(const Zero& evidence) { return Record().add("zero", zero_record(evidence)); }

Record zero_record(const Zero& evidence) {
    return Record()
        .add("input", evidence.input)
        .add("output", evidence.output)
        .add("finite", evidence.finite);
}

}  // namespace rmsnorm::evidence
