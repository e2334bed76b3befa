#include "judge/gradient_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "evidence/number_text.hpp"
#include "evidence/words.hpp"
#include "judge/quoted.hpp"

namespace rmsnorm::judge {
namespace {

using evidence::Array;
using evidence::Datum;
using evidence::Presence;
using evidence::Record;
using evidence::Scalar;

// Documents hold finite numbers: an infinite error is the largest finite one.
Scalar figure(double value) {
    constexpr double most = std::numeric_limits<double>::max();
    const double finite = std::isnan(value) ? most : std::clamp(value, -most, most);
    return {finite, evidence::difference_decimals(finite)};
}

Presence presence(bool present) { return present ? Presence::present : Presence::absent; }

Record explanation_record(const GradientExplanation& one) {
    const bool part = !one.part_rows.empty();
    const Explanation& of = one.explanation;
    return Record()
        .add("id", of.id)
        .add("rows_affected", one.part_rows, presence(part))
        .add("columns_affected", one.part_columns, presence(part))
        .add("inside", of.detail, presence(part))
        .add("value", figure(of.value.value_or(0)), presence(of.value.has_value()))
        .add("dtype", std::string(numeric::dtype_name(of.dtype.value_or(NumberFormat::binary32))),
             presence(of.dtype.has_value()))
        .add("statement", one.statement)
        .add("largest_distance", figure(one.largest_distance))
        .add("explained", one.rows);
}

Record record(const JudgedGradient& judged) {
    const GradientVerdict& verdict = judged.verdict;
    const GradientError& worst = verdict.worst;
    const bool fitted = verdict.fit_first.has_value();
    Array at;
    at.items = {Datum(worst.row), Datum(worst.column)};
    return Record()
        .add("verdict", name(verdict.state))
        .add("doubts",
             evidence::array_of(verdict.doubts, [](const std::string& id) { return Datum(id); }))
        .add("blind_to",
             evidence::array_of(judged.blind_to, [](const std::string& id) { return Datum(id); }))
        .add("largest_part_of_bound", figure(worst.part_of_bound))
        .add("max_error_ulp", figure(worst.error_ulp))
        .add("bound_ulp", figure(worst.bound_ulp))
        .add("at", std::move(at))
        .add("found", figure(worst.found), presence(!std::isnan(worst.found)))
        .add("expected", figure(worst.expected))
        .add("outside", verdict.outside)
        .add("skipped", verdict.skipped)
        .add("overflowed", verdict.overflowed)
        .add("not_finite", verdict.not_finite)
        .add("explanations", evidence::array_of(verdict.explanations, explanation_record))
        .add("first_term_factor", figure(verdict.fit_first.value_or(0)), presence(fitted))
        .add("second_term_factor", figure(verdict.fit_second.value_or(0)), presence(fitted));
}

std::string lines(const std::string& what, const char* unit, const JudgedGradient& judged) {
    const GradientVerdict& verdict = judged.verdict;
    const GradientError& worst = verdict.worst;
    std::string text = what + " gradient: " + name(verdict.state);
    if (verdict.outside > 0) {
        text += ", " + evidence::counted(verdict.outside, unit) + " beyond " +
                (verdict.outside == 1 ? "its" : "their") + " bound";
    }
    text += "\n";
    if (verdict.overflowed > 0) {
        text += "  " + evidence::counted(verdict.overflowed, "row") +
                " whose squares add up beyond the arithmetic, which then has a scale of 0: not "
                "judged; smaller inputs would decide\n";
    }
    for (const GradientExplanation& one : verdict.explanations) {
        const bool imprecise = verdict.state == Answer::imprecise;
        text += &one != verdict.explanations.data() ? "  or: "
                : imprecise                         ? "  rounding: "
                                                    : "  mistake: ";
        text += one.statement;
        if (one.part_rows.empty()) text += ": explains " + evidence::counted(one.rows, unit);
        if (one.largest_distance > 0) {
            text += ", largest distance " + quoted(one.largest_distance, 2) + " of its bound";
        }
        text += "\n";
    }
    if (!verdict.doubts.empty()) {
        text += "  doubt: it may be another: " + evidence::listed(verdict.doubts) + "\n";
    }
    if (verdict.not_finite > 0) {
        text += "  " + evidence::counted(verdict.not_finite, "element") +
                (verdict.not_finite == 1 ? " is" : " are") +
                " NaN or infinite where the exact gradient is finite\n";
    }
    if (verdict.fit_first) {
        text += "  closest: " + quoted_beside(*verdict.fit_first) + " times the first term " +
                (*verdict.fit_second < 0 ? "plus " : "less ") +
                quoted_beside(std::fabs(*verdict.fit_second)) + " times the second\n";
    }
    if (worst.part_of_bound > 0 && std::isfinite(worst.found)) {
        text += "  worst: row " + std::to_string(worst.row) + ", column " +
                std::to_string(worst.column) + ": " + quoted_beside(worst.found, worst.expected) +
                " where " + quoted_beside(worst.expected, worst.found) + " is exact, " +
                quoted_beside(worst.part_of_bound) + " of its bound\n";
    } else if (worst.part_of_bound > 0) {
        text += "  worst: row " + std::to_string(worst.row) + ", column " +
                std::to_string(worst.column) + ": not finite where " +
                quoted_beside(worst.expected) + " is exact\n";
    }
    if (!judged.blind_to.empty()) {
        text += "  these data would not have shown: " + evidence::listed(judged.blind_to) + "\n";
    }
    return text;
}

}  // namespace

JudgedGradients judge_gradients(const GradientTensors& tensors) {
    const auto with_blind_spots = [&](GradientVerdict verdict, auto blind_spots) {
        JudgedGradient judged{std::move(verdict), {}};
        if (judged.verdict.state == Answer::right) judged.blind_to = blind_spots(tensors);
        return judged;
    };
    JudgedGradients gradients;
    if (tensors.input_gradient) {
        gradients.input =
            with_blind_spots(judge_input_gradient(tensors), input_gradient_blind_spots);
    }
    if (tensors.gain_gradient) {
        gradients.gain = with_blind_spots(judge_gain_gradient(tensors), gain_gradient_blind_spots);
    }
    return gradients;
}

evidence::Record record(const JudgedGradients& gradients) {
    return Record()
        .add("input", record(gradients.input.value_or(JudgedGradient{})),
             presence(gradients.input.has_value()))
        .add("gain", record(gradients.gain.value_or(JudgedGradient{})),
             presence(gradients.gain.has_value()));
}

std::vector<evidence::Check> checks(const JudgedGradients& gradients) {
    std::vector<evidence::Check> all;
    const auto add = [&](const char* check, const char* statement,
                         const std::optional<JudgedGradient>& judged) {
        if (!judged) return;
        const bool right = judged->verdict.state == Answer::right;
        all.push_back(evidence::at_most(check, statement, right ? 0 : 1, 0));
    };
    add("input-gradient-right", "the input gradient is right", gradients.input);
    add("gain-gradient-right", "the gain gradient is right", gradients.gain);
    return all;
}

std::string text(const JudgedGradients& gradients) {
    std::string text;
    if (gradients.input) text += lines("input", "row", *gradients.input);
    if (gradients.gain) text += lines("gain", "column", *gradients.gain);
    return text;
}

}  // namespace rmsnorm::judge
