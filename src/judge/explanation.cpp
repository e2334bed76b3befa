#include "judge/explanation.hpp"

#include <algorithm>
#include <string_view>

#include "evidence/number_text.hpp"

namespace rmsnorm::judge {
namespace {

struct Sentence {
    std::string_view id;
    std::string_view text;  // # stands for the format, the value or the divisor
};

constexpr Sentence sentences[] = {
    {"epsilon-outside", "epsilon is added outside the root"},
    {"epsilon-missing", "epsilon is missing"},
    {"epsilon-maximum", "epsilon is a lower limit instead of a summand"},
    {"epsilon-in-sum", "epsilon is added to the sum of squares, before the division by the width"},
    {"epsilon-scaled", "epsilon is multiplied by the largest square of the row"},
    {"epsilon-other", "epsilon is #"},
    {"epsilon-machine", "epsilon is #, the spacing of numbers at 1"},
    {"sum-for-mean", "the sum of squares is not divided by the width"},
    {"all-rows-mean", "the mean square is that of all rows together"},
    {"batch-axis", "the mean square is taken over the rows, for each column"},
    {"divisor-n-minus-1", "the sum of squares is divided by the width less 1"},
    {"divisor-other", "the sum of squares is divided by #"},
    {"variance", "the variance stands for the mean square, while the mean stays in the input"},
    {"mean-squared", "the square of the mean stands for the mean square"},
    {"mean-absolute", "the mean magnitude stands for the root mean square"},
    {"maximum-absolute", "the largest magnitude stands for the root mean square"},
    {"root-twice", "the root is taken twice"},
    {"root-missing", "the root is missing: the input is divided by the mean square"},
    {"root-inverted", "the input is multiplied by the root mean square instead of divided"},
    {"not-normalized", "the input is not normalized"},
    {"times-root-n", "the result is multiplied by the root of the width"},
    {"normalized-twice", "the input is normalized twice"},
    {"gain-in-mean", "the mean square is that of the input times the gain"},
    {"gain-before", "the gain multiplies the input before it is normalized"},
    {"partial-mean", "the mean square is that of the first # features alone"},
    {"row-scale-shifted", "each row has the scale of another row"},
    {"row-scale-first", "all rows have the scale of the first row"},
    {"sum-not-reset", "the sum of squares goes on from row to row"},
    {"grouped", "each row is normalized in # parts"},
    {"mean-subtracted", "the mean is subtracted from the input, as LayerNorm does"},
    {"gain-missing", "the gain is missing"},
    {"gain-plus-one", "1 is added to the gain"},
    {"gain-offset-missing", "the offset is not added to the gain"},
    {"gain-offset-twice", "the offset is added to the gain twice"},
    {"gain-squared", "the gain is applied twice"},
    {"gain-shifted", "the gain is shifted against the columns"},
    {"gain-first", "the first gain multiplies all columns"},
    {"sign", "the sign is wrong"},
    {"rows-shifted", "the rows are shifted"},
    {"rows-reversed", "the rows are in reverse order"},
    {"column-major-output", "the output is written column by column"},
    {"column-major-input", "the input is read column by column"},
    {"layer-twice", "the layer is applied twice"},
    {"bias-added", "something is added"},
    {"constant-factor", "the result is multiplied by #"},
    {"squares-low", "the squares are rounded to #"},
    {"accumulation-low", "the squares are added up in #"},
    {"mean-square-low", "the mean square is rounded to #"},
    {"reciprocal-low", "the reciprocal root mean square is rounded to #"},
    {"computed-low", "everything is computed in #"},
    {"output-low", "the output has the precision of #"},
    {"input-low", "the input is rounded to # before it is used"},
    {"gain-low", "the gain is rounded to # before it is used"},
    {"output-truncated", "the output is cut off to # instead of rounded"},
    {"fast-inverse-root", "the reciprocal root is approximated"},
    {"part", "a part is wrong"},
    {"zeros", "zeros"},
    {"copied", "the input unchanged"},
    {"unexplained", "values that nothing explains"},
    {"unknown", "no known mistake explains the output"},
};

std::string figure(const Explanation& e) {
    if (e.id == "epsilon-machine" || (!e.value && e.dtype)) {
        const std::string format(numeric::full_name(*e.dtype));
        return e.value ? evidence::given_text(*e.value) + " of " + format : format;
    }
    if (e.value) return evidence::given_text(*e.value);
    if (e.divisor) return std::to_string(*e.divisor);
    return "";
}

// What stands for figures where there are none.
std::string_view stand_in(std::string_view id) {
    if (id == "partial-mean" || id == "grouped") return "some";
    if (id == "epsilon-other" || id == "divisor-other") return "another number";
    if (id == "epsilon-machine") return "that of a format";
    if (id == "constant-factor") return "a constant";
    return "a lower format";
}

std::string filled(std::string_view id, std::string_view figure) {
    const auto* found = std::find_if(std::begin(sentences), std::end(sentences),
                                     [&](const Sentence& s) { return s.id == id; });
    std::string text(found == std::end(sentences) ? id : found->text);
    if (const auto at = text.find('#'); at != std::string::npos) text.replace(at, 1, figure);
    return text;
}

}  // namespace

bool is_variant(const Explanation& a, const Explanation& b) {
    return a.id == b.id && a.value == b.value && a.divisor == b.divisor && a.dtype == b.dtype &&
           a.from == b.from;
}

bool agree(const std::vector<Explanation>& a, const std::vector<Explanation>& b) {
    constexpr std::string_view with_a_number[] = {"epsilon-other", "divisor-other",
                                                  "constant-factor"};
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const Explanation& one, const Explanation& other) {
                          const bool any =
                              std::find(std::begin(with_a_number), std::end(with_a_number),
                                        one.id) != std::end(with_a_number);
                          return any ? one.id == other.id : is_variant(one, other);
                      });
}

bool is_imprecision(const Explanation& explanation) {
    constexpr std::string_view ids[] = {"squares-low",      "accumulation-low", "mean-square-low",
                                        "reciprocal-low",   "computed-low",     "output-low",
                                        "input-low",        "gain-low",         "output-truncated",
                                        "fast-inverse-root"};
    return std::find(std::begin(ids), std::end(ids), explanation.id) != std::end(ids);
}

std::string sentence(const Explanation& explanation) {
    std::string text = filled(explanation.id, figure(explanation));
    if (explanation.from) {
        const std::string part = "the features from " + std::to_string(*explanation.from) + " on";
        text = explanation.value ? "the mean square adds the squares of " + part + " twice"
                                 : "the mean square is that of " + part + " alone";
    }
    if (!explanation.detail.empty()) text += " (" + explanation.detail + ")";
    return text;
}

std::string description(const std::string& id) { return filled(id, stand_in(id)); }

}  // namespace rmsnorm::judge
