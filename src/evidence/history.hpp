// Experiment: one anchor under BatchNorm, LayerNorm and RMSNorm while its batch companion changes.
#pragma once

#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

struct History {
    double epsilon;                          // of BatchNorm and LayerNorm; RMSNorm runs with zero
    tensor::Tensor anchor;                   // [d]
    std::vector<tensor::Tensor> companions;  // [d] each
    std::vector<tensor::Tensor> batch_norm;  // the anchor's result beside each companion
    tensor::Tensor layer_norm;               // [d]
    tensor::Tensor rms_norm;                 // [d]
    double rms_mean;                         // the mean of `rms_norm`
    std::vector<Check> checks;
};

/// Throws nn::RmsNormError or nn::NormalizationError.
History history(const tensor::Tensor& anchor, const std::vector<tensor::Tensor>& companions,
                double epsilon);

/// The same with its checks: replay and `history_checks`.
History checked_history(const tensor::Tensor& anchor, const std::vector<tensor::Tensor>& companions,
                        double epsilon);

/// Each norm against what holds for it exactly; docs/checks.md derives the bounds.
std::vector<Check> history_checks(const History& evidence);

Record inputs(const History& evidence);
Record results(const History& evidence);

/// The object `history` of a report.
Record history_record(const History& evidence);

}  // namespace rmsnorm::evidence
