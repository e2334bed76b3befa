// The fixture 23-normalization: its six experiments and six exercises with their own values.
#pragma once

#include "evidence/book/closed_form.hpp"
#include "evidence/book/compare.hpp"
#include "evidence/book/constant.hpp"
#include "evidence/book/cost.hpp"
#include "evidence/book/dense_stack.hpp"
#include "evidence/book/depth.hpp"
#include "evidence/book/latent.hpp"
#include "evidence/book/layer_norm.hpp"
#include "evidence/book/layer_norm_backward.hpp"
#include "evidence/book/rms_norm.hpp"
#include "evidence/book/rms_norm_backward.hpp"
#include "evidence/book/stats.hpp"

namespace rmsnorm::evidence::book {

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

}  // namespace rmsnorm::evidence::book
