#include "judge/verdict_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "evidence/number_text.hpp"
#include "judge/quoted.hpp"

namespace rmsnorm::judge {
namespace {

using evidence::Array;
using evidence::Datum;
using evidence::Presence;
using evidence::Record;
using evidence::Scalar;

double finite(double value) {
    constexpr double most = std::numeric_limits<double>::max();
    if (std::isnan(value)) return most;
    return std::clamp(value, -most, most);
}

Scalar figure(double value) {
    return {finite(value), evidence::difference_decimals(finite(value))};
}

Presence presence(bool present) { return present ? Presence::present : Presence::absent; }

Array strings(const std::vector<std::string>& words) {
    Array array;
    for (const std::string& word : words) array.items.push_back(word);
    return array;
}

// One id, or the list of those that hold at once.
Datum ids(const std::vector<Explanation>& explanations, std::size_t first) {
    if (explanations.size() == first + 1) return explanations[first].id;
    Array array;
    for (std::size_t i = first; i < explanations.size(); ++i) {
        array.items.push_back(explanations[i].id);
    }
    return array;
}

Record finding_record(const Finding& finding, const Verdict& verdict) {
    const bool part = finding.place.has_value();
    Record record;
    record.add("id", part ? Datum("part") : ids(finding.explanations, 0));
    const auto with = [&](auto member) {
        return std::find_if(finding.explanations.begin(), finding.explanations.end(),
                            [&](const Explanation& e) { return (e.*member).has_value(); });
    };
    const auto none = finding.explanations.end();
    const auto value = with(&Explanation::value);
    const auto divisor = with(&Explanation::divisor);
    const auto dtype = with(&Explanation::dtype);
    const auto from = with(&Explanation::from);
    const Place place = finding.place.value_or(Place{});
    record.add("rows_affected", place.rows, presence(part))
        .add("columns_affected", place.columns, presence(part))
        .add("inside", part ? ids(finding.explanations, 1) : Datum("zeros"), presence(part))
        .add("value", evidence::exact_scalar(value == none ? 0 : *value->value),
             presence(value != none))
        .add("divisor", divisor == none ? std::size_t{1} : *divisor->divisor,
             presence(divisor != none))
        .add("from", from == none ? std::size_t{1} : *from->from, presence(from != none))
        .add("dtype", std::string(dtype == none ? "f32" : numeric::dtype_name(*dtype->dtype)),
             presence(dtype != none))
        .add("statement", statement(finding, verdict))
        .add("largest_distance", figure(finding.largest_distance))
        .add("rows", finding.rows);
    return record;
}

Array candidates(const Verdict& verdict, const MeasuredRow& row) {
    return evidence::array_of(row.candidates, [&](const Candidate& one) {
        const bool known = one.finding < verdict.findings.size();
        return Datum(Record()
                         .add("id", known ? ids(verdict.findings[one.finding].explanations, 0)
                                          : Datum("epsilon-missing"))
                         .add("scale", figure(one.scale)));
    });
}

Array counts(const std::vector<std::size_t>& numbers) {
    return evidence::array_of(numbers, [](std::size_t number) { return Datum(number); });
}

Record probe_record(const Probe& probe) {
    return Record()
        .add("epsilon", evidence::exact_scalar(probe.epsilon))
        .add("input", tensor::Tensor({probe.rows, probe.width}, probe.input))
        .add("gain", tensor::Tensor({probe.width}, probe.gain))
        .add("tells", evidence::array_of(probe.tells, [](const Telling& telling) {
                 return Datum(Record()
                                  .add("explanation", telling.finding)
                                  .add("told_from", counts(telling.told_from))
                                  .add("not_told_from", counts(telling.not_told_from)));
             }));
}

std::string rounding_name(const Form& form) {
    const std::string inner(numeric::dtype_name(form.structure.inner));
    switch (form.structure.factoring) {
        case Factoring::once: return "once";
        case Factoring::value_first: return "normalized value to " + inner + " first";
        case Factoring::gain_first: return "gain times scale to " + inner + " first";
        default: return "gain times input to " + inner + " first";
    }
}

// Of how many rows: "all 4 rows", "5 of 6 rows, and row 0 holds zeros".
std::string explained(const Hypothesis& h, const Verdict& verdict) {
    const std::string unit = h.view == View::transposed ? "column"
                             : h.groups > 1             ? "part of a row"
                                                        : "row";
    const std::string units = h.groups > 1 ? "parts of rows" : unit + "s";
    const std::size_t all = h.compared + h.uncompared;
    std::string text;
    if (h.rows == all) {
        text = all == 1 ? "the " + unit : "all " + std::to_string(all) + " " + units;
    } else {
        text = std::to_string(h.rows) + " of " + std::to_string(all) + " " + units;
    }
    const bool of_rows = h.view != View::transposed && h.groups == 1;
    if (of_rows && all < verdict.rows_judged + verdict.rows_skipped) {
        text += all == 1 ? " that has a scale" : " that have a scale";
    }
    if (!h.beside.empty()) {
        text += ", and " + h.beside;
    } else if (h.rows < h.compared) {
        text += ", and tells nothing of the others";
    }
    if (h.uncompared > 0) {
        text += "; " + std::to_string(h.uncompared) + " that " +
                (h.uncompared == 1 ? "is right was not compared" : "are right were not compared");
    }
    return text;
}

}  // namespace

Answer overall(const Verdict& verdict, const JudgedGradients& gradients) {
    Answer all = verdict.answer;
    const auto rank = [](Answer answer) {
        switch (answer) {
            case Answer::right: return 0;
            case Answer::undecided: return 1;
            case Answer::imprecise: return 2;
            case Answer::wrong: break;
        }
        return 3;
    };
    for (const auto* gradient : {&gradients.input, &gradients.gain}) {
        if (!*gradient) continue;
        const Answer answer = (*gradient)->verdict.state;
        if (rank(answer) > rank(all)) all = answer;
    }
    return all;
}

std::string statement(const Finding& finding, const Verdict& verdict) {
    std::string text;
    if (finding.place) {
        text = set_in_words("row", finding.place->rows) + ", " +
               set_in_words("column", finding.place->columns) + ": ";
    }
    const std::size_t first = finding.place ? 1 : 0;
    for (std::size_t i = first; i < finding.explanations.size(); ++i) {
        if (i > first) text += ", and ";
        text += sentence(finding.explanations[i]);
    }
    for (std::size_t i = 0; i < finding.also.size(); ++i) {
        text += (i == 0 ? ", or " : ", ") + evidence::given_text(finding.also[i]);
    }
    if (finding.hypothesis) {
        text += ": explains " + explained(*finding.hypothesis, verdict) + ", largest distance " +
                quoted(finding.largest_distance, 2) + " of its bound";
        if (std::isfinite(verdict.error.max_ulp)) {
            text += "; the right formula misses by " + quoted(verdict.error.max_ulp, 4) +
                    " ulp in row " + std::to_string(verdict.error.row);
        }
    }
    return text;
}

evidence::Record inputs(const Tensors& tensors, const std::string& recipe) {
    return Record()
        .add("rows", tensors.rows)
        .add("width", tensors.width)
        .add("input_dtype", std::string(numeric::dtype_name(tensors.formats.input)))
        .add("gain_dtype", std::string(numeric::dtype_name(tensors.formats.gain)))
        .add("output_dtype", std::string(numeric::dtype_name(tensors.formats.output)))
        .add("epsilon", evidence::exact_scalar(tensors.epsilon))
        .add("gain_offset", evidence::exact_scalar(tensors.gain_offset))
        .add("recipe", recipe, presence(!recipe.empty()));
}

evidence::Record results(const Verdict& verdict, const std::optional<Probe>& probe,
                         const std::vector<RecipeMatch>& recipes, const JudgedGradients& gradients,
                         const std::optional<Part>& part) {
    Array explanations;
    for (const Finding& finding : verdict.findings) {
        explanations.items.push_back(finding_record(finding, verdict));
    }
    Array epsilons;
    Array scales;
    for (const MeasuredRow& row : verdict.table) {
        const Presence measured = presence(row.unmeasured.empty());
        const Presence unmeasured = presence(!row.unmeasured.empty());
        epsilons.items.push_back(Record()
                                     .add("row", row.row)
                                     .add("low", figure(row.epsilon_low), measured)
                                     .add("high", figure(row.epsilon_high), measured)
                                     .add("unmeasured", row.unmeasured, unmeasured));
        scales.items.push_back(Record()
                                   .add("row", row.row)
                                   .add("low", figure(row.low), measured)
                                   .add("high", figure(row.high), measured)
                                   .add("unmeasured", row.unmeasured, unmeasured)
                                   .add("exact", figure(row.scale))
                                   .add("bound_below", figure(row.scale * row.bound_below))
                                   .add("bound_above", figure(row.scale * row.bound_above))
                                   .add("candidates", candidates(verdict, row)));
    }
    Array facts;
    for (const Fact& fact : verdict.facts) facts.items.push_back(fact.statement);
    Array matches;
    for (const RecipeMatch& match : recipes) {
        matches.items.push_back(Record()
                                    .add("id", match.id)
                                    .add("bitwise", match.bitwise)
                                    .add("share", figure(match.share)));
    }
    const OutputError& error = verdict.error;
    const FormulaVerdict formula = verdict.by_formula.value_or(FormulaVerdict{});
    Array at;
    at.items.push_back(error.row);
    at.items.push_back(error.column);
    return Record()
        .add("verdict", name(overall(verdict, gradients)))
        .add("doubts", strings(verdict.doubts))
        .add("blind_to", strings(verdict.blind_to))
        .add("output",
             Record()
                 .add("verdict", name(verdict.answer))
                 .add("max_error_ulp", figure(error.max_ulp))
                 .add("bound_ulp", figure(error.bound_ulp))
                 .add("at", std::move(at))
                 .add("found", figure(error.found), presence(!std::isnan(error.found)))
                 .add("expected", figure(error.expected), presence(!std::isnan(error.expected)))
                 .add("rows_judged", verdict.rows_judged)
                 .add("rows_outside", verdict.rows_outside)
                 .add("rows_skipped", verdict.rows_skipped)
                 .add("by_formula",
                      Record()
                          .add("verdict", name(formula.answer))
                          .add("rows_outside", formula.rows_outside),
                      presence(verdict.by_formula.has_value())))
        .add("rounding", verdict.form ? rounding_name(*verdict.form) : "once",
             presence(verdict.form.has_value()))
        .add("explanations", std::move(explanations))
        .add("recipes", std::move(matches))
        .add("facts", std::move(facts))
        .add("effective_epsilon", std::move(epsilons))
        .add("row_scales", std::move(scales))
        .add("probe", probe_record(probe.value_or(Probe{1, 1, 0, {1}, {1}})),
             presence(probe.has_value()))
        .add("gradients", record(gradients),
             presence(gradients.input.has_value() || gradients.gain.has_value()))
        .add("part", record(part.value_or(Part{})), presence(part.has_value()));
}

std::vector<evidence::Check> checks(const Verdict& verdict, const JudgedGradients& gradients,
                                    bool strict) {
    const auto outside = static_cast<double>(verdict.rows_outside);
    std::vector<evidence::Check> all = {
        verdict.recipe.empty()
            ? evidence::at_most("rows-within-bound",
                                "every row is one that RMSNorm may have written", outside, 0)
            : evidence::at_most("rows-by-recipe",
                                "the recipe " + verdict.recipe + " writes every row", outside, 0),
        evidence::at_most("verdict-right", "the verdict is right",
                          overall(verdict, gradients) == Answer::right ? 0 : 1, 0)};
    for (evidence::Check& check : checks(gradients)) all.push_back(std::move(check));
    if (strict) {
        all.push_back(evidence::at_most("no-doubts", "no other formula fits better than RMSNorm",
                                        static_cast<double>(verdict.doubts.size()), 0));
    }
    return all;
}

}  // namespace rmsnorm::judge
