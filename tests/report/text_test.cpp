// The text report and the trace. The expected lines are those that the chapter's own program
// prints.
#include <doctest/doctest.h>

#include <functional>

#include "experiments/rmsnorm/chapter.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "report/trace.hpp"

using namespace rmsnorm;
using evidence::Extent;

namespace {

const experiments::Chapter& chapter() {
    static const experiments::Chapter computed = experiments::chapter();
    return computed;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// The worst coordinates, which the report leaves out, follow behind it.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n') + 1); }

}  // namespace

TEST_CASE("an experiment's text is the report's own lines") {
    const std::string report = experiments::text(chapter());
    for (const std::string& lines : {
             experiments::text(chapter().backward, Extent::full),
             experiments::text(chapter().scale, Extent::full),
             experiments::text(chapter().zero, Extent::full),
             experiments::text(chapter().batch, Extent::full),
             experiments::text(chapter().history, Extent::full),
             first_line(experiments::text(chapter().gradient_checks, Extent::full)),
             text(experiments::replay(), Extent::full),
         }) {
        INFO(lines);
        CHECK(lines.back() == '\n');
        CHECK(contains("\n" + report, "\n" + lines));
    }
}

TEST_CASE("the forward pass prints the report's lines of the pass and its target") {
    CHECK(experiments::text(chapter().forward, Extent::full) ==
          "input=shape:[2] values:[3.000000,4.000000]\n"
          "mean_square=shape:[1] values:[12.500000]\n"
          "inverse_rms=shape:[1] values:[0.282843]\n"
          "normalized=shape:[2] values:[0.848528,1.131370]\n"
          "gain=shape:[2] values:[1.500000,0.500000]\n"
          "output=shape:[2] values:[1.272792,0.565685]\n"
          "rms_target=normalized_mean_square:0.999999\n");
}

TEST_CASE(
    "the boundaries and the groups, which the report does not hold, have lines of their own") {
    CHECK(
        experiments::text(chapter().boundaries, Extent::full) ==
        "boundary=case:rank-zero rejected:true message:RMSNorm input must have at least one axis\n"
        "boundary=case:width-mismatch rejected:true message:RMSNorm input feature width must be "
        "2, got 3\n"
        "boundary=case:zero-energy-epsilon-zero rejected:true message:RMSNorm epsilon is zero but "
        "feature row 0 has zero mean square\n");
    CHECK(experiments::text(chapter().parameters, Extent::full) ==
          "config=epsilon:0.000010 feature_width:2 gain_name:decoder.block.0.attention_norm.gain "
          "no_decay:true\n"
          "groups=decay:none no_decay:decoder.block.0.attention_norm.gain\n");
    const experiments::Parameters decayed = experiments::parameters(
        {experiments::chapter_values::gain_name, {experiments::chapter_values::gain_name}, {}});
    CHECK(contains(experiments::text(decayed, Extent::full), " no_decay:false\n"));
    CHECK(contains(experiments::text(decayed, Extent::full),
                   "groups=decay:decoder.block.0.attention_norm.gain no_decay:none\n"));
}

TEST_CASE("every figure and verdict of report and trace comes from the evidence") {
    struct Change {
        const char* what;
        std::function<void(experiments::Chapter&)> make;
        bool in_text = true;
        bool in_trace = true;
    };
    using experiments::Chapter;
    const std::vector<Change> changes{
        {"epsilon", [](Chapter& c) { c.parameters.epsilon = 2; }},
        {"feature width", [](Chapter& c) { c.parameters.feature_width = 3; }},
        {"gain name", [](Chapter& c) { c.parameters.gain_name = "other"; }},
        {"no decay", [](Chapter& c) { c.parameters.gain_in_no_decay = false; }},
        {"input", [](Chapter& c) { c.forward.input[0] = 9; }},
        {"mean square", [](Chapter& c) { c.forward.mean_square[0] = 9; }},
        {"inverse rms", [](Chapter& c) { c.forward.inverse_rms[0] = 9; }},
        {"normalized", [](Chapter& c) { c.forward.normalized[1] = 9; }},
        {"gain", [](Chapter& c) { c.forward.gain[1] = 9; }},
        {"output", [](Chapter& c) { c.forward.output[0] = 9; }},
        {"normalized mean square", [](Chapter& c) { c.forward.normalized_mean_square = 9; }},
        {"upstream", [](Chapter& c) { c.backward.upstream[0] = 9; }},
        {"input gradient", [](Chapter& c) { c.backward.input_gradient[1] = 9; }},
        {"gain gradient", [](Chapter& c) { c.backward.gain_gradient[0] = 9; }},
        {"scale epsilon", [](Chapter& c) { c.scale.comparisons[0].epsilon = 9; }},
        {"scale factor", [](Chapter& c) { c.scale.comparisons[1].factor = 9; }},
        {"scale base", [](Chapter& c) { c.scale.comparisons[2].base[0] = 9; }},
        {"scaled", [](Chapter& c) { c.scale.comparisons[0].scaled[1] = 9; }},
        {"scale difference", [](Chapter& c) { c.scale.comparisons[1].max_abs_diff = 9; }},
        {"scale mode",
         [](Chapter& c) { c.scale.comparisons[1].mode = experiments::ScaleMode::ideal; }},
        {"zero output", [](Chapter& c) { (*c.zero.output)[0] = 9; }},
        {"zero input", [](Chapter& c) { c.zero.input[0] = 9; }, false},
        {"finite", [](Chapter& c) { c.zero.finite = false; }},
        {"batch output", [](Chapter& c) { c.batch.output[2] = 9; }},
        {"batch norm a", [](Chapter& c) { c.history.batch_norm[0][0] = 9; }},
        {"batch norm b", [](Chapter& c) { c.history.batch_norm[1][0] = 9; }},
        {"layer norm", [](Chapter& c) { c.history.layer_norm[0] = 9; }},
        {"rms norm", [](Chapter& c) { c.history.rms_norm[0] = 9; }},
        {"rms mean", [](Chapter& c) { c.history.rms_mean = 9; }},
        {"boundary verdict", [](Chapter& c) { c.boundaries.cases[0].rejected = false; }, false},
        {"boundary message", [](Chapter& c) { c.boundaries.cases[2].message = "x"; }, false},
        {"tolerance", [](Chapter& c) { c.gradient_checks.inputs.tolerance = 9; }},
        {"input checks", [](Chapter& c) { c.gradient_checks.input.coordinates.pop_back(); }},
        {"gain checks", [](Chapter& c) { c.gradient_checks.gain.coordinates.pop_back(); }},
        {"input verdict", [](Chapter& c) { c.gradient_checks.input.passed = false; }},
        {"gain verdict", [](Chapter& c) { c.gradient_checks.gain.passed = false; }},
        {"replay", [](Chapter& c) { c.replay_bitwise = false; }},
    };
    const std::string text_before = experiments::text(chapter());
    const std::string trace = report::trace(chapter());
    for (const Change& change : changes) {
        INFO(change.what);
        experiments::Chapter changed = chapter();
        change.make(changed);
        CHECK((experiments::text(changed) != text_before) == change.in_text);
        CHECK((report::trace(changed) != trace) == change.in_trace);
    }
}

TEST_CASE("failed verdicts are said in words") {
    experiments::Chapter failed = chapter();
    failed.replay_bitwise = false;
    failed.gradient_checks.gain.passed = false;
    CHECK(contains(experiments::text(failed), "\nsame_fixture_replays_bitwise=false\n"));
    CHECK(contains(experiments::text(failed), " passed:false\n"));
    CHECK(contains(report::trace(failed), "|gradcheck=false|replay=mismatch|"));
}

TEST_CASE("a history of many companions names each of them") {
    const std::vector<tensor::Tensor> companions(28, tensor::Tensor::vector({5, 7}));
    const std::string text = experiments::text(
        experiments::history({experiments::chapter_values::anchor(), companions, 1e-5}),
        Extent::full);
    CHECK(contains(text, " batch_anchor_z:["));
    CHECK(contains(text, " batch_anchor_a1:["));
    CHECK(contains(text, " batch_anchor_b1:["));
}

TEST_CASE("a check is one line with its shortest figures") {
    CHECK(evidence::text(std::vector<evidence::Check>{}).empty());
    CHECK(evidence::text({evidence::at_most("n", "a b", 0.25, 1e-7)}) ==
          "check=name:n measure:0.25 bound:1e-7 passed:false statement:a b\n");
}
