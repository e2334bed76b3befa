#include "report/text.hpp"

#include <algorithm>

#include "report/lines.hpp"

namespace rmsnorm::report {
namespace {

using evidence::difference_decimals;
using evidence::setting;

std::string count(std::size_t value) { return std::to_string(value); }

// "near-zero" is "near_zero" where it names a line.
std::string line_name(evidence::ScaleMode mode) {
    std::string text(evidence::name(mode));
    std::replace(text.begin(), text.end(), '-', '_');
    return text + "_scale";
}

// Names joined by commas, "none" for no name.
std::string names_text(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text.empty() ? "none" : text;
}

std::string config_line(const evidence::Parameters& e) {
    return Lines()
        .line("config")
        .part("epsilon", setting(e.epsilon))
        .part("feature_width", count(e.feature_width))
        .part("gain_name", e.gain_name)
        .part("no_decay", truth_text(e.gain_in_no_decay))
        .str();
}

std::string pass_lines(const evidence::Forward& e, Extent extent) {
    Lines lines(extent);
    lines.line("input").shaped(e.input);
    lines.line("mean_square").shaped(e.mean_square);
    lines.line("inverse_rms").shaped(e.inverse_rms);
    lines.line("normalized").shaped(e.normalized);
    lines.line("gain").shaped(e.gain);
    lines.line("output").shaped(e.output);
    return lines.str();
}

std::string rms_target_line(const evidence::Forward& e) {
    return Lines()
        .line("rms_target")
        .part("normalized_mean_square", e.normalized_mean_square)
        .str();
}

std::string gradient_check_line(const evidence::GradientChecks& e) {
    Lines lines;
    lines.line("gradcheck")
        .part("input_checks", count(e.input.coordinates.size()))
        .part("gain_checks", count(e.gain.coordinates.size()))
        .part("tolerance", setting(e.inputs.tolerance))
        .part("passed", truth_text(evidence::passed(e)));
    if (e.inputs.unit == evidence::ProbeUnit::row) lines.part("unit", "row");
    return lines.str();
}

}  // namespace

std::string text(const evidence::Chapter& e) {
    const Extent extent = Extent::full;
    std::string report =
        "chapter=25-rmsnorm\n"
        "prediction=positive scaling cancels only in the epsilon-zero ideal; epsilon changes tiny "
        "inputs\n";
    report += config_line(e.parameters);
    report += pass_lines(e.forward, extent);
    report += text(e.backward, extent);
    report += rms_target_line(e.forward);
    report += text(e.scale, extent);
    report += text(e.zero, extent);
    report += text(e.batch, extent);
    report += text(e.history, extent);
    report += gradient_check_line(e.gradient_checks);
    report += text(evidence::Replay{e.replay_bitwise, {}}, extent);
    report += "next=project normalized features into Q K V\n";
    return report;
}

std::string text(const evidence::Forward& e, Extent extent) {
    return pass_lines(e, extent) + rms_target_line(e);
}

std::string text(const evidence::Backward& e, Extent extent) {
    Lines lines(extent);
    lines.line("upstream").shaped(e.upstream);
    lines.vector("input_gradient", e.input_gradient);
    lines.vector("gain_gradient", e.gain_gradient);
    return lines.str();
}

std::string text(const evidence::Scale& e, Extent extent) {
    Lines lines(extent);
    for (const evidence::ScaleComparison& comparison : e.comparisons) {
        lines.line(line_name(comparison.mode))
            .part("epsilon", setting(comparison.epsilon))
            .part("factor", setting(comparison.factor))
            .part("base", comparison.base)
            .part("scaled", comparison.scaled)
            .part("max_abs_diff", comparison.max_abs_diff,
                  difference_decimals(comparison.max_abs_diff));
    }
    return lines.str();
}

std::string text(const evidence::Zero& e, Extent extent) {
    if (e.rejection) {
        return Lines()
            .line("zero_input")
            .part("rejected", "true")
            .part("error", e.rejection->error)
            .part("message", e.rejection->message)
            .str();
    }
    return Lines(extent)
        .line("zero_input")
        .part("output", *e.output)
        .part("finite", truth_text(e.finite))
        .str();
}

std::string text(const evidence::Batch& e, Extent extent) {
    return Lines(extent).line("batch_output").shaped(e.output).str();
}

std::string text(const evidence::History& e, Extent extent) {
    Lines lines(extent);
    lines.line("history");
    // The chapter has two companions, a and b.
    for (std::size_t i = 0; i < e.batch_norm.size(); ++i) {
        const std::string letter(1, static_cast<char>('a' + i % 26));
        lines.part("batch_anchor_" + letter + (i < 26 ? "" : count(i / 26)), e.batch_norm[i]);
    }
    return lines.part("layer_norm", e.layer_norm)
        .part("rms_norm", e.rms_norm)
        .part("rms_mean", e.rms_mean)
        .str();
}

std::string text(const evidence::Boundaries& e, Extent) {
    Lines lines;
    for (const evidence::Boundary& boundary : e.cases) {
        lines.line("boundary")
            .part("case", boundary.name)
            .part("rejected", truth_text(boundary.rejected))
            .part("message", boundary.message);
    }
    return lines.str();
}

std::string text(const evidence::GradientChecks& e, Extent) {
    struct Named {
        std::string_view tensor;
        autodiff::CoordinateCheck check;
    };
    std::vector<Named> all;
    for (const auto& coordinate : e.input.coordinates) all.push_back({"input", coordinate});
    for (const auto& coordinate : e.gain.coordinates) all.push_back({"gain", coordinate});
    std::stable_sort(all.begin(), all.end(), [](const Named& a, const Named& b) {
        return a.check.scaled_error > b.check.scaled_error;
    });
    constexpr std::size_t most_shown = 5;
    all.resize(std::min(all.size(), most_shown));
    Lines lines;
    for (const auto& [tensor, check] : all) {
        lines.line("worst")
            .part("tensor", tensor)
            .part("index", count(check.index))
            .part("analytic", check.analytic, difference_decimals(check.analytic))
            .part("numerical", check.numerical, difference_decimals(check.numerical))
            .part("scaled_error", check.scaled_error, difference_decimals(check.scaled_error))
            .part("passed", truth_text(check.passed));
    }
    return gradient_check_line(e) + lines.str();
}

std::string text(const evidence::Parameters& e, Extent) {
    return config_line(e) + Lines()
                                .line("groups")
                                .part("decay", names_text(e.decay))
                                .part("no_decay", names_text(e.no_decay))
                                .str();
}

std::string text(const evidence::Replay& e, Extent) {
    return Lines().line("same_fixture_replays_bitwise").text(truth_text(e.bitwise)).str();
}

std::string text(const std::vector<evidence::Check>& checks) {
    Lines lines;
    for (const evidence::Check& check : checks) {
        lines.line("check")
            .part("name", check.name)
            .part("measure", numeric::shortest(check.measure))
            .part("bound", numeric::shortest(check.bound))
            .part("passed", truth_text(check.passed))
            .part("statement", check.statement);
    }
    return lines.str();
}

}  // namespace rmsnorm::report
