#include "experiments/rmsnorm/chapter.hpp"

#include "evidence/replay.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"

namespace rmsnorm::experiments {
namespace {

Chapter chapter_once() {
    namespace values = chapter_values;
    const LayerCase primary = values::layer_case();
    LayerCase rows = primary;
    rows.input = values::rows();
    Backward pass = backward(primary);
    GradientChecks gradients = gradient_checks(
        {primary, values::step, values::tolerance, primary.input.size(), 0, ProbeUnit::one, true},
        pass.input_gradient, pass.gain_gradient);
    return {.parameters = parameters({}),
            .forward = forward(primary),
            .backward = std::move(pass),
            .scale = scale(chapter_scale_cases()),
            .zero = zero({}),
            .batch = batch(rows),
            .history = history({}),
            .boundaries = boundaries(),
            .gradient_checks = std::move(gradients),
            .replay_bitwise = false,
            .checks = {}};
}

std::vector<Check> all_checks(const Chapter& evidence) {
    std::vector<Check> all;
    const auto take = [&](const std::string& experiment, const std::vector<Check>& checks) {
        for (Check check : checks) {
            check.name = experiment + "/" + check.name;
            all.push_back(std::move(check));
        }
    };
    take("parameters", evidence.parameters.checks);
    take("forward", evidence.forward.checks);
    take("backward", evidence.backward.checks);
    take("scale", evidence.scale.checks);
    take("zero", evidence.zero.checks);
    take("batch", evidence.batch.checks);
    take("history", evidence.history.checks);
    take("boundaries", evidence.boundaries.checks);
    take("gradcheck", evidence.gradient_checks.checks);
    return all;
}

Record proof(const Chapter& evidence) {
    const GradientChecks& gradients = evidence.gradient_checks;
    return Record()
        .add("step", gradients.inputs.step)
        .add("tolerance", gradients.inputs.tolerance)
        .add("input_checks", coordinates_array(gradients.input))
        .add("gain_checks", coordinates_array(gradients.gain))
        .add("gradcheck", passed(gradients))
        .add("replay", std::string(evidence.replay_bitwise ? "bitwise" : "mismatch"));
}

}  // namespace

Chapter chapter() {
    Chapter evidence = chapter_once();
    const Check replay = replay_check(results(evidence), results(chapter_once()));
    evidence.replay_bitwise = replay.passed;
    evidence.checks = all_checks(evidence);
    evidence.checks.push_back(replay);
    return evidence;
}

Record results(const Chapter& evidence) {
    return Record()
        .add("config", config_record(evidence.parameters))
        .add("primary", primary_record(evidence.forward))
        .add("backward", backward_record(evidence.backward))
        .add("scales", scales_array(evidence.scale))
        .add("zero", zero_record(evidence.zero))
        .add("batch", batch_record(evidence.batch))
        .add("history", history_record(evidence.history))
        .add("boundaries", boundaries_array(evidence.boundaries))
        .add("proof", proof(evidence))
        .add("next", "26-qkv-projections");
}

Replay replay(const NoInputs&) {
    const Chapter evidence = chapter();
    return {evidence.replay_bitwise, {evidence.checks.back()}};
}

Record results(const Replay& evidence) {
    return Record().add("replay", std::string(evidence.bitwise ? "bitwise" : "mismatch"));
}

std::string text(const Chapter& e) {
    const Extent extent = Extent::full;
    std::string report =
        "chapter=25-rmsnorm\n"
        "prediction=positive scaling cancels only in the epsilon-zero ideal; epsilon changes tiny "
        "inputs\n";
    report += config_line(e.parameters);
    report += pass_lines(e.forward, extent);
    report += text(e.backward, extent);
    report += rms_target_line(e.forward, extent);
    report += text(e.scale, extent);
    report += text(e.zero, extent);
    report += text(e.batch, extent);
    report += text(e.history, extent);
    report += gradient_check_line(e.gradient_checks);
    report += text(Replay{e.replay_bitwise, {}}, extent);
    report += "next=project normalized features into Q K V\n";
    return report;
}

std::string text(const Replay& e, Extent) {
    return Lines().line("same_fixture_replays_bitwise").text(truth_text(e.bitwise)).str();
}

}  // namespace rmsnorm::experiments
