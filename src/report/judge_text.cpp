#include "report/judge_text.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/number_text.hpp"
#include "evidence/words.hpp"
#include "judge/quoted.hpp"
#include "judge/verdict_record.hpp"

namespace rmsnorm::report {
namespace {

using judge::quoted;

std::string headline(const judge::Verdict& verdict, const judge::Tensors& tensors,
                     const judge::JudgedGradients& gradients) {
    const std::string verb = verdict.answer == judge::Answer::right       ? "is"
                             : verdict.answer == judge::Answer::undecided ? "may or may not be"
                             : verdict.answer == judge::Answer::imprecise ? "is, less precisely,"
                                                                          : "is not";
    std::string text = std::string(judge::name(judge::overall(verdict, gradients))) +
                       ": the output " + verb + " RMSNorm of the input" +
                       (verdict.recipe.empty() ? "" : " by the recipe " + verdict.recipe) + " (" +
                       std::string(numeric::full_name(tensors.formats.output)) + ", " +
                       evidence::counted(tensors.rows, "row") + " of " +
                       std::to_string(tensors.width) + ", epsilon " +
                       evidence::given_text(tensors.epsilon) + ")";
    const auto add = [&](const char* which, const std::optional<judge::JudgedGradient>& judged) {
        if (judged) text += std::string("; ") + which + judge::name(judged->verdict.state);
    };
    add("input gradient ", gradients.input);
    add("gain gradient ", gradients.gain);
    return text + "\n";
}

// The worst of the outputs, and what would be right in its place.
std::string error_line(const judge::Verdict& verdict, numeric::NumberFormat format) {
    const judge::OutputError& error = verdict.error;
    if (is_nowhere(error)) return "worst: none, every output is 0 as it should be\n";
    const std::string place = "worst: row " + std::to_string(error.row) + ", column " +
                              std::to_string(error.column) + ": ";
    const int digits = evidence::digits_apart({error.found, error.expected}, 6);
    const std::string both =
        quoted(error.found, digits) + " where " + quoted(error.expected, digits) + " is exact, ";
    const std::string bound = verdict.recipe.empty() ? "bound " : "the formula's bound ";
    if (std::fabs(error.expected) < numeric::smallest_normal(format)) {
        // Units of so small a number tell nothing.
        return place + both + bound +
               quoted(error.bound_ulp * numeric::ulp(format, error.expected), 4) + "\n";
    }
    const std::string size =
        std::isfinite(error.max_ulp) ? quoted(error.max_ulp, 4) + " ulp" : "beyond any ulp";
    return place + both + size + " (" + bound + quoted(error.bound_ulp, 4) + ")\n";
}

std::string table_line(const judge::MeasuredRow& row) {
    const std::string place = "  row " + std::to_string(row.row) + ": ";
    if (!row.unmeasured.empty()) {
        return place + row.unmeasured + "; RMSNorm's is " + quoted(row.scale, 8) + "\n";
    }
    const int digits = evidence::digits_apart({row.low, row.high, row.scale}, 8);
    const auto scales = judge::quoted_outwards({row.low, row.high}, digits);
    const auto epsilons = judge::quoted_outwards({row.epsilon_low, row.epsilon_high});
    return place + "1/RMS " + scales.low + " to " + scales.high + ", RMSNorm has " +
           quoted(row.scale, digits) + "; effective epsilon " + epsilons.low + " to " +
           (std::isfinite(row.epsilon_high) ? epsilons.high : "infinity") + "\n";
}

}  // namespace

std::string text(const judge::Verdict& verdict, const judge::Tensors& tensors,
                 const std::optional<judge::Probe>& probe,
                 const judge::JudgedGradients& gradients) {
    std::string text = headline(verdict, tensors, gradients);
    for (std::size_t i = 0; i < std::min<std::size_t>(verdict.findings.size(), 4); ++i) {
        const bool imprecise = verdict.answer == judge::Answer::imprecise;
        text += i > 0 ? "  or: " : imprecise ? "rounding: " : "mistake: ";
        text += judge::statement(verdict.findings[i], verdict) + "\n";
    }
    if (verdict.findings.size() > 4) {
        text += "  or " + std::to_string(verdict.findings.size() - 4) + " more, in the JSON\n";
    }
    if (verdict.findings.size() > 1) text += "  these data cannot tell them apart\n";
    if (verdict.rows_judged > 0) text += error_line(verdict, tensors.formats.output);
    if (!verdict.findings.empty()) {
        for (std::size_t i = 0; i < std::min<std::size_t>(verdict.table.size(), 2); ++i) {
            text += table_line(verdict.table[i]);
        }
    }
    if (!verdict.doubts.empty()) {
        text += verdict.answer == judge::Answer::right
                    ? "doubt: within the bound, but these fit to the last digits: "
                    : "doubt: it may be another: ";
        text += evidence::listed(verdict.doubts) + "\n";
    }
    if (!verdict.blind_to.empty()) {
        text += "these data would not have shown: " + evidence::listed(verdict.blind_to) + "\n";
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(verdict.facts.size(), 4); ++i) {
        text += "note: " + verdict.facts[i].statement + "\n";
    }
    if (probe) {
        text += "next: --probe FILE writes an input of " + std::to_string(probe->rows) + " x " +
                std::to_string(probe->width) + " on which these explanations differ";
        const std::string open = judge::left_open(probe->tells, verdict.findings);
        if (!open.empty()) text += ", but for " + open;
        text += "\n";
    }
    return text + judge::text(gradients);
}

}  // namespace rmsnorm::report
