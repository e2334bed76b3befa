// Experiment: one anchor under BatchNorm, LayerNorm and RMSNorm while its batch companion changes.
#pragma once

#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "evidence/record.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::experiments {

struct HistoryInputs {
    tensor::Tensor anchor = chapter_values::anchor();                       // [d]
    std::vector<tensor::Tensor> companions = chapter_values::companions();  // [d] each
    double epsilon = chapter_values::epsilon;

    std::vector<Input> declared();
    void complete(const Given& given);
};

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
History history(const HistoryInputs& inputs);

/// The same with its checks, for a reader: throws InputRejection for either: replay and
/// `history_checks`.
History checked_history(const HistoryInputs& inputs);

/// Each norm against what holds for it exactly; docs/checks.md derives the bounds.
std::vector<Check> history_checks(const History& evidence);

Record results(const History& evidence);
std::string text(const History& evidence, Extent extent);

/// The object `history` of a report.
Record history_record(const History& evidence);

}  // namespace rmsnorm::experiments
