#include "evidence/boundaries.hpp"

#include "evidence/chapter_values.hpp"
#include "evidence/layer_case.hpp"

namespace rmsnorm::evidence {
namespace {

void forward(const tensor::Tensor& gain, double epsilon, const tensor::Tensor& input) {
    const nn::RmsNorm norm(nn::NamedParameter(chapter_values::gain_name, gain), epsilon);
    norm.forward(autodiff::Value::constant(input));
}

}  // namespace

Boundary provoke(std::string name, std::string_view expected_error,
                 const std::function<void()>& request) {
    try {
        request();
    } catch (const nn::RmsNormError& error) {
        const std::string found(nn::case_name(error));
        return {std::move(name), found == expected_error, found, error.what()};
    }
    return {std::move(name), false, "", ""};
}

Check rejection_check(const Boundary& boundary) {
    return at_most(boundary.name, "the request is rejected with its error",
                   boundary.rejected ? 0 : 1, 0);
}

Boundaries boundaries() {
    namespace chapter = chapter_values;
    const tensor::Tensor ones = tensor::Tensor::vector({1, 1});
    Boundaries evidence;
    evidence.cases.push_back(provoke("rank-zero", "InputRankZero", [&] {
        forward(ones, chapter::epsilon, tensor::Tensor::scalar(1));
    }));
    evidence.cases.push_back(provoke("width-mismatch", "InputWidthMismatch", [&] {
        forward(ones, chapter::epsilon, tensor::Tensor::vector({1, 2, 3}));
    }));
    evidence.cases.push_back(provoke("zero-energy-epsilon-zero", "ZeroEnergyRow", [&] {
        forward(ones, chapter::ideal_epsilon, tensor::Tensor::vector({0, 0}));
    }));
    for (const Boundary& boundary : evidence.cases) {
        evidence.checks.push_back(rejection_check(boundary));
    }
    return evidence;
}

Record inputs(const Boundaries&) { return {}; }

Record results(const Boundaries& evidence) {
    return Record().add("boundaries", boundaries_array(evidence));
}

Array boundaries_array(const Boundaries& evidence) {
    Array array;
    for (const Boundary& boundary : evidence.cases) {
        array.items.push_back(Record()
                                  .add("case", boundary.name)
                                  .add("rejected", boundary.rejected)
                                  .add("error", boundary.error)
                                  .add("message", boundary.message));
    }
    return array;
}

}  // namespace rmsnorm::evidence
