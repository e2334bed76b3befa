#include "report/trace.hpp"

#include "report/figures.hpp"

namespace rmsnorm::report {
namespace {

// One trace line.
class Line {
  public:
    explicit Line(std::string_view kind) : text_(kind) {}

    Line& add(std::string_view key, std::string_view value) {
        text_.append("|").append(key).append("=").append(value);
        return *this;
    }
    Line& add(std::string_view key, double value, evidence::Decimals decimals = {}) {
        return add(key, scalar_text(value, decimals));
    }
    Line& add(std::string_view key, const tensor::Tensor& tensor) {
        return add(key, vector_text(tensor));
    }

    std::string str() const { return text_ + "\n"; }

  private:
    std::string text_;
};

std::string meta(const experiments::Parameters& e) {
    return Line("META")
        .add("epsilon", e.epsilon)
        .add("feature_width", std::to_string(e.feature_width))
        .add("gain_name", e.gain_name)
        .add("no_decay", truth_text(e.gain_in_no_decay))
        .str();
}

std::string primary(const experiments::Forward& e) {
    return Line("PRIMARY")
        .add("input", e.input)
        .add("mean_square", e.mean_square)
        .add("inverse_rms", e.inverse_rms)
        .add("normalized", e.normalized)
        .add("gain", e.gain)
        .add("output", e.output)
        .str();
}

std::string backward(const experiments::Backward& e) {
    return Line("BACKWARD")
        .add("upstream", e.upstream)
        .add("input_gradient", e.input_gradient)
        .add("gain_gradient", e.gain_gradient)
        .str();
}

std::string scales(const experiments::Scale& e) {
    std::string text;
    for (const experiments::ScaleComparison& comparison : e.comparisons) {
        text += Line("SCALE")
                    .add("mode", experiments::name(comparison.mode))
                    .add("epsilon", comparison.epsilon)
                    .add("factor", comparison.factor)
                    .add("base", comparison.base)
                    .add("scaled", comparison.scaled)
                    .add("max_abs_diff", comparison.max_abs_diff,
                         evidence::difference_decimals(comparison.max_abs_diff))
                    .str();
    }
    return text;
}

std::string zero(const experiments::Zero& e) {
    return Line("ZERO")
        .add("input", e.input)
        .add("output", *e.output)
        .add("finite", truth_text(e.finite))
        .str();
}

std::string batch(const experiments::Batch& e) {
    return Line("BATCH")
        .add("shape", shape_text(e.output.shape()))
        .add("output", e.output)
        .add("axis", "last")
        .str();
}

std::string history(const experiments::History& e) {
    return Line("HISTORY")
        .add("batch_anchor_a", e.batch_norm.at(0))
        .add("batch_anchor_b", e.batch_norm.at(1))
        .add("layer_norm", e.layer_norm)
        .add("rms_norm", e.rms_norm)
        .add("rms_mean", e.rms_mean)
        .str();
}

std::string errors(const experiments::Boundaries& e) {
    std::string text;
    for (const experiments::Boundary& boundary : e.cases) {
        text += Line("ERROR")
                    .add("case", boundary.name)
                    .add("rejected", truth_text(boundary.rejected))
                    .add("message", boundary.message)
                    .str();
    }
    return text;
}

std::string proof(const experiments::Chapter& e) {
    const experiments::GradientChecks& gradients = e.gradient_checks;
    return Line("PROOF")
        .add("normalized_mean_square", e.forward.normalized_mean_square)
        .add("input_checks", std::to_string(gradients.input.coordinates.size()))
        .add("gain_checks", std::to_string(gradients.gain.coordinates.size()))
        .add("tolerance", gradients.inputs.tolerance)
        .add("gradcheck", truth_text(experiments::passed(gradients)))
        .add("replay", e.replay_bitwise ? "bitwise" : "mismatch")
        .add("trace", "rust-authored")
        .str();
}

}  // namespace

std::string trace(const evidence::Certification& certification) {
    std::string text;
    for (const evidence::WorthLine& one : evidence::worth_lines(certification)) {
        Line line("DIGITS");
        line.add("of", one.of);
        if (!one.plain()) line.add("error", one.error()).add("bound", one.bound());
        text += line.add("worth", worth_text(*one.certificate)).str();
    }
    return text + Line("CERTIFIED").add("summary", summary(certification)).str();
}

std::string trace(const experiments::Chapter& e) {
    return meta(e.parameters) + primary(e.forward) + backward(e.backward) + scales(e.scale) +
           zero(e.zero) + batch(e.batch) + history(e.history) + errors(e.boundaries) + proof(e) +
           Line("NEXT").add("chapter", "26-qkv-projections").str();
}

}  // namespace rmsnorm::report
