#include "evidence/history.hpp"

#include "evidence/layer_case.hpp"
#include "nn/normalization.hpp"

namespace rmsnorm::evidence {
namespace {

Array figures(const std::vector<tensor::Tensor>& tensors) {
    Array items;
    for (const tensor::Tensor& tensor : tensors) items.items.push_back(tensor);
    return items;
}

}  // namespace

History history(const tensor::Tensor& anchor, const std::vector<tensor::Tensor>& companions,
                double epsilon) {
    History evidence{.epsilon = epsilon,
                     .anchor = anchor,
                     .companions = companions,
                     .batch_norm = {},
                     .layer_norm = tensor::Tensor::vector(nn::layer_norm(anchor.values(), epsilon)),
                     .rms_norm = unit_gain_layer(anchor.size(), 0.0)
                                     .forward_with_intermediates(autodiff::Value::constant(anchor))
                                     .normalized.tensor(),
                     .rms_mean = 0,
                     .checks = {}};
    for (const tensor::Tensor& companion : companions) {
        evidence.batch_norm.push_back(
            tensor::Tensor::vector(nn::batch_norm(anchor.values(), companion.values(), epsilon)));
    }
    for (const double value : evidence.rms_norm.values()) evidence.rms_mean += value;
    evidence.rms_mean /= static_cast<double>(evidence.rms_norm.size());
    return evidence;
}

Record inputs(const History& evidence) {
    return Record()
        .add("anchor", evidence.anchor)
        .add("companions", figures(evidence.companions))
        .add("epsilon", setting(evidence.epsilon));
}

Record results(const History& evidence) {
    return Record().add("history", history_record(evidence));
}

Record history_record(const History& evidence) {
    return Record()
        .add("anchor", evidence.anchor)
        .add("companions", figures(evidence.companions))
        .add("batch_norm", figures(evidence.batch_norm))
        .add("layer_norm", evidence.layer_norm)
        .add("rms_norm", evidence.rms_norm)
        .add("rms_mean", evidence.rms_mean);
}

}  // namespace rmsnorm::evidence
