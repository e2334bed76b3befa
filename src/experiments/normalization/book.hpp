// The fixture 23-normalization: its six experiments and six exercises with their own values.
#pragma once

#include "experiments/normalization/closed_form.hpp"
#include "experiments/normalization/compare.hpp"
#include "experiments/normalization/constant.hpp"
#include "experiments/normalization/cost.hpp"
#include "experiments/normalization/dense_stack.hpp"
#include "experiments/normalization/depth.hpp"
#include "experiments/normalization/latent.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/layer_norm_backward.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/rms_norm_backward.hpp"
#include "experiments/normalization/stats.hpp"

namespace rmsnorm::experiments::normalization {

struct Book {
    Stats stats;
    LayerNorm layer_norm;
    RmsNorm rms_norm;
    Compare compare;
    Depth depth;
    LayerNormBackward layer_norm_backward;
    Constant constant;
    RmsNormBackward rms_norm_backward;
    DenseStack dense_stack;
    Cost cost;
    ClosedForm closed_form;
    Latent latent;
    bool replay_bitwise;        // all of the above, computed twice from scratch
    std::vector<Check> checks;  // of every experiment, each name led by the experiment's
};

Book book();

/// The objects of a report in their documented order.
Record results(const Book& evidence);

}  // namespace rmsnorm::experiments::normalization
