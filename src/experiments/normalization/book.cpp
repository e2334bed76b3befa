#include "experiments/normalization/book.hpp"

#include <algorithm>

#include "experiments/normalization/closed_form.hpp"
#include "experiments/normalization/compare.hpp"
#include "experiments/normalization/constant.hpp"
#include "experiments/normalization/cost.hpp"
#include "experiments/normalization/dense_stack.hpp"
#include "experiments/normalization/depth.hpp"
#include "experiments/normalization/exact.hpp"
#include "experiments/normalization/latent.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/layer_norm_backward.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/rms_norm_backward.hpp"
#include "experiments/normalization/stats.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

std::vector<Part> parts() {
    return {part("stats", stats({})),
            part("layer-norm", layer_norm({})),
            part("rms-norm", rms_norm({})),
            part("compare", compare({})),
            part("depth", depth({})),
            part("layer-norm-backward", layer_norm_backward({.choice = book_choice})),
            part("constant", constant({})),
            part("rms-norm-backward", rms_norm_backward({.choice = book_choice})),
            part("dense-stack", dense_stack({})),
            part("cost", cost({})),
            part("closed-form", closed_form({})),
            part("latent", latent({}))};
}

struct Counts {
    std::uint64_t checks;
    std::uint64_t held;
    const char* replay;
};

Counts counts(const Proof& proof) {
    const auto held = std::count_if(proof.checks.begin(), proof.checks.end(),
                                    [](const Check& check) { return check.passed; });
    return {proof.checks.size(), static_cast<std::uint64_t>(held),
            proof.replay_bitwise ? "bitwise" : "mismatch"};
}

}  // namespace

Book book() {
    Book evidence{parts(), {}};
    evidence.proof = proof_of(evidence.parts, parts());
    return evidence;
}

Record results(const Book& evidence) {
    const Counts proof = counts(evidence.proof);
    return joined_results(evidence.parts)
        .add("proof", Record()
                          .add("checks", proof.checks)
                          .add("held", proof.held)
                          .add("replay", proof.replay));
}

ExactFigures exact_figures(const Book& evidence, int bits) {
    return joined_exact(evidence.parts, bits);
}

std::string text(const Book& evidence) {
    const Counts proof = counts(evidence.proof);
    return "fixture=23-normalization\n"
           "arithmetic=binary32 values and products, binary64 sums rounded once; depth is binary32 "
           "throughout\n" +
           joined_text(evidence.parts) +
           Lines()
               .line("proof")
               .part("checks", std::to_string(proof.checks))
               .part("held", std::to_string(proof.held))
               .part("replay", proof.replay)
               .str();
}

}  // namespace rmsnorm::experiments::normalization
