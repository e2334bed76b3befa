#include "experiments/normalization/book.hpp"

#include <algorithm>

#include "evidence/replay.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

Book book_once() {
    return {.stats = stats(values::hundreds(), values::thousandths()),
            .layer_norm = layer_norm(book_layer_norm_case()),
            .rms_norm = rms_norm(book_rms_norm_case()),
            .compare = compare({}),
            .depth = depth(book_depth_case()),
            .layer_norm_backward = layer_norm_backward(book_layer_norm_backward_case()),
            .constant = constant(book_constant_case()),
            .rms_norm_backward = rms_norm_backward(book_rms_norm_backward_case()),
            .dense_stack = dense_stack(book_dense_stack_case()),
            .cost = cost(book_cost_width),
            .closed_form = closed_form(book_closed_form_case()),
            .latent = latent({}),
            .replay_bitwise = false,
            .checks = {}};
}

std::vector<Check> all_checks(const Book& evidence) {
    std::vector<Check> all;
    const auto take = [&](const std::string& experiment, const std::vector<Check>& checks) {
        for (Check check : checks) {
            check.name = experiment + "/" + check.name;
            all.push_back(std::move(check));
        }
    };
    take("stats", evidence.stats.checks);
    take("layer-norm", evidence.layer_norm.checks);
    take("rms-norm", evidence.rms_norm.checks);
    take("compare", evidence.compare.checks);
    take("depth", evidence.depth.checks);
    take("layer-norm-backward", evidence.layer_norm_backward.checks);
    take("constant", evidence.constant.checks);
    take("rms-norm-backward", evidence.rms_norm_backward.checks);
    take("dense-stack", evidence.dense_stack.checks);
    take("cost", evidence.cost.checks);
    take("closed-form", evidence.closed_form.checks);
    take("latent", evidence.latent.checks);
    return all;
}

Record proof(const Book& evidence) {
    const auto held = std::count_if(evidence.checks.begin(), evidence.checks.end(),
                                    [](const Check& check) { return check.passed; });
    return Record()
        .add("checks", evidence.checks.size())
        .add("held", static_cast<std::uint64_t>(held))
        .add("replay", std::string(evidence.replay_bitwise ? "bitwise" : "mismatch"));
}

}  // namespace

Book book() {
    Book evidence = book_once();
    const Check replay = replay_check(results(evidence), results(book_once()));
    evidence.replay_bitwise = replay.passed;
    evidence.checks = all_checks(evidence);
    evidence.checks.push_back(replay);
    return evidence;
}

Record results(const Book& evidence) {
    return Record()
        .add("stats", stats_record(evidence.stats))
        .add("layer_norm", layer_norm_record(evidence.layer_norm))
        .add("rms_norm", rms_norm_record(evidence.rms_norm))
        .add("compare", compare_record(evidence.compare))
        .add("depth", depth_array(evidence.depth))
        .add("layer_norm_backward", layer_norm_backward_record(evidence.layer_norm_backward))
        .add("constant", constant_record(evidence.constant))
        .add("rms_norm_backward", rms_norm_backward_record(evidence.rms_norm_backward))
        .add("dense_stack", dense_stack_record(evidence.dense_stack))
        .add("cost", cost_record(evidence.cost))
        .add("closed_form", closed_form_record(evidence.closed_form))
        .add("latent", Datum(field(results(evidence.latent), "latent")))
        .add("proof", proof(evidence));
}

}  // namespace rmsnorm::experiments::normalization
