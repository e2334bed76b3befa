#include "report/book_text.hpp"

#include <algorithm>
#include <variant>

#include "evidence/default_text.hpp"
#include "evidence/log_plot.hpp"
#include "report/figures.hpp"

namespace rmsnorm::report {
namespace {

namespace book = experiments::normalization;

using evidence::datum_text;
using evidence::field;
using evidence::field_lines;
using evidence::log_plot;
using evidence::note;
using evidence::PlotSeries;
using evidence::record_line;

const evidence::Record& record_of(const evidence::Datum& datum) {
    return std::get<evidence::Record>(datum.value);
}

std::string disagreement_line(const std::string& name, const evidence::Record& record,
                              Extent extent) {
    return record_line(name + "_largest_disagreement",
                       record_of(field(record, "largest_disagreement")), extent);
}

}  // namespace

std::string text(const book::Book& e) {
    const Extent extent = Extent::full;
    std::string report =
        "fixture=23-normalization\n"
        "arithmetic=binary32 values and products, binary64 sums rounded once; depth is binary32 "
        "throughout\n";
    report += text(e.stats, extent);
    report += text(e.layer_norm, extent);
    report += text(e.rms_norm, extent);
    report += text(e.compare, extent);
    report += text(e.depth, extent);
    report += text(e.layer_norm_backward, extent);
    report += text(e.constant, extent);
    report += text(e.rms_norm_backward, extent);
    report += text(e.dense_stack, extent);
    report += text(e.cost, extent);
    report += text(e.closed_form, extent);
    report += text(e.latent, extent);
    const auto held = std::count_if(e.checks.begin(), e.checks.end(),
                                    [](const evidence::Check& check) { return check.passed; });
    report += Lines()
                  .line("proof")
                  .part("checks", std::to_string(e.checks.size()))
                  .part("held", std::to_string(held))
                  .part("replay", e.replay_bitwise ? "bitwise" : "mismatch")
                  .str();
    return report;
}

std::string text(const book::Stats& e, Extent extent) {
    const evidence::Record input = inputs(e);
    const evidence::Record record = stats_record(e);
    std::string lines;
    for (const char* name : {"a", "b"}) {
        const std::string line = std::string("stats_") + name;
        lines += Lines().line(line + "_input").text(datum_text(field(input, name), extent)).str();
        lines += record_line(line, record_of(field(record, name)), extent);
    }
    lines += note("span is the range in standard deviations: the shape, whatever the scale");
    const auto lost = [](const book::VectorStatistics& s) {
        return s.variance == 0 && s.range > 0;
    };
    if (lost(e.a) || lost(e.b)) {
        lines += note(
            "a span of 0 stands where the standard deviation is zero because every squared "
            "deviation is below the least binary32 number");
    }
    return lines;
}

std::string text(const book::LayerNorm& e, Extent extent) {
    std::string lines = field_lines("layer_norm", layer_norm_record(e), extent);
    if (e.pass.variance == 0) {
        const bool centered = std::all_of(e.inputs.input.begin(), e.inputs.input.end(),
                                          [&](float value) { return value == e.pass.mean; });
        lines += note(centered ? "the variance is zero: every deviation is zero, epsilon alone is "
                                 "divided by, and the output is beta"
                               : "the variance is zero because every squared deviation is below "
                                 "the least binary32 number; epsilon alone is divided by");
    }
    return lines + note("mean and inverse_standard_deviation are what a backward pass needs");
}

std::string text(const book::RmsNorm& e, Extent extent) {
    return field_lines("rms_norm", rms_norm_record(e), extent);
}

std::string text(const book::Depth& e, Extent extent) {
    const evidence::Array rows = depth_array(e);
    std::string lines;
    for (const evidence::Datum& row : rows.items) {
        lines += record_line("stack", record_of(row), extent);
    }
    std::vector<std::string> labels;
    PlotSeries post{'o', "post-norm", {}};
    PlotSeries pre{'+', "pre-norm", {}};
    for (const book::DepthRow& row : e.rows) {
        labels.push_back(std::to_string(row.depth));
        post.values.push_back(static_cast<double>(row.post_norm_sensitivity));
        pre.values.push_back(static_cast<double>(row.pre_norm_sensitivity));
    }
    return lines + log_plot("sensitivity to the first input by depth", labels, {post, pre});
}

std::string text(const book::LayerNormBackward& e, Extent extent) {
    const evidence::Record record = layer_norm_backward_record(e);
    return field_lines("layer_norm_backward", record, extent) +
           disagreement_line("layer_norm_backward", record, extent);
}

std::string text(const book::Constant& e, Extent extent) {
    const evidence::Record record = constant_record(e);
    std::string lines =
        Lines().line("constant_input").text(datum_text(field(record, "input"), extent)).str();
    for (const evidence::Datum& outcome :
         std::get<evidence::Array>(field(record, "outcomes").value).items) {
        lines += record_line("constant", record_of(outcome), extent);
    }
    if (e.inputs.unguarded) {
        lines += note("unguarded is what the formula gives where the layer refuses");
    }
    return lines;
}

std::string text(const book::RmsNormBackward& e, Extent extent) {
    const evidence::Record record = rms_norm_backward_record(e);
    std::string lines = field_lines("rms_norm_backward", record, extent);
    for (const std::string name : {"input", "gamma"}) {
        const evidence::Record& gradient = record_of(field(record, name + "_gradient"));
        lines += field_lines("rms_norm_backward_" + name, gradient, extent) +
                 disagreement_line("rms_norm_backward_" + name, gradient, extent);
    }
    return lines;
}

std::string text(const book::DenseStack& e, Extent extent) {
    return field_lines("dense_stack", dense_stack_record(e), extent);
}

std::string text(const book::Cost& e, Extent extent) {
    const evidence::Record record = cost_record(e);
    return record_line("cost", record, extent) +
           record_line("cost_layer_norm", record_of(field(record, "layer_norm")), extent) +
           record_line("cost_rms_norm", record_of(field(record, "rms_norm")), extent);
}

std::string text(const book::ClosedForm& e, Extent extent) {
    return field_lines("closed_form", closed_form_record(e), extent);
}

}  // namespace rmsnorm::report
