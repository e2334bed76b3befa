#include "judge/gradient_statement.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "evidence/number_text.hpp"
#include "evidence/words.hpp"
#include "judge/quoted.hpp"

namespace rmsnorm::judge {
namespace {

// Explanations that cost more than the cheapest one by this are no alternatives to it.
constexpr double cost_window = 0.3;

struct Sentence {
    std::string_view id;
    std::string_view text;  // # stands for the numbers
};

// Of the mistakes whose number says which they are.
constexpr Sentence sentences[] = {
    {"epsilon-other", "epsilon is #"},
    {"constant-factor", "it is the right gradient times #"},
    {"second-term-factor", "the second term is multiplied by #"},
    {"scale-power",
     "the reciprocal root mean square has in the second term, where its third power belongs, the "
     "power #"},
};

// An epsilon that was tried is known to all digits, a factor that was fitted is not.
std::string quoted_number(const std::string& id, double number) {
    return id == "epsilon-other" ? evidence::given_text(number) : quoted_beside(number);
}

// "a", "a, or b", "a, or b, c".
std::string alternatives(std::vector<std::string> words) {
    if (words.size() > 1) words[1] = "or " + words[1];
    return evidence::listed(words);
}

// A pattern of rows or columns: "row 7", "the last row", "rows 4 to 6", "every 4th row from 3 on".
std::string set_of(const std::string& thing, const std::string& pattern) {
    constexpr std::string_view every = "every ";
    if (pattern == "all") return "all " + thing + "s";
    if (pattern == "the last") return "the last " + thing;
    if (pattern.starts_with("from ")) return thing + "s " + pattern + " on";
    if (pattern.starts_with(every)) {
        const std::size_t step_end = pattern.find(' ', every.size());
        return pattern.substr(0, step_end) + " " + thing + pattern.substr(step_end) + " on";
    }
    return thing + (pattern.find(' ') == std::string::npos ? " " : "s ") + pattern;
}

// `alike` are of one id, the best first.
GradientExplanation joined(const std::vector<GradientExplanation>& alike) {
    GradientExplanation best = alike.front();
    const std::string& id = best.explanation.id;
    const std::optional<double> named = best.explanation.value;
    const auto is_known = [&](double number) {
        return number == *named ||
               std::find(best.also.begin(), best.also.end(), number) != best.also.end();
    };
    std::vector<std::string> wordings = {best.statement};
    for (const GradientExplanation& one : alike) {
        if (named && !is_known(*one.explanation.value)) {
            best.also.push_back(*one.explanation.value);
        }
        if (std::find(wordings.begin(), wordings.end(), one.statement) == wordings.end()) {
            wordings.push_back(one.statement);
        }
    }
    const auto* const sentence =
        std::find_if(std::begin(sentences), std::end(sentences),
                     [&](const Sentence& known) { return known.id == id; });
    if (sentence == std::end(sentences)) {
        best.statement = alternatives(wordings);
        return best;
    }
    std::vector<std::string> numbers = {quoted_number(id, *named)};
    for (const double number : best.also) numbers.push_back(quoted_number(id, number));
    best.statement = sentence->text;
    best.statement.replace(best.statement.find('#'), 1, alternatives(numbers));
    return best;
}

std::vector<GradientExplanation> likeliest(std::vector<GradientExplanation> explanations) {
    std::stable_sort(explanations.begin(), explanations.end(),
                     [](const auto& a, const auto& b) { return a.cost < b.cost; });
    std::vector<std::vector<GradientExplanation>> groups;
    for (GradientExplanation& one : explanations) {
        if (one.cost > explanations.front().cost + cost_window) break;
        const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return group.front().explanation.id == one.explanation.id &&
                   group.front().explanation.dtype == one.explanation.dtype;
        });
        if (known == groups.end()) {
            groups.push_back({std::move(one)});
        } else {
            known->push_back(std::move(one));
        }
    }
    std::vector<GradientExplanation> found;
    for (auto& group : groups) {
        std::stable_sort(group.begin(), group.end(), [](const auto& a, const auto& b) {
            return a.largest_distance < b.largest_distance;
        });
        found.push_back(joined(group));
    }
    return found;
}

}  // namespace

void settle(GradientVerdict& verdict) {
    std::vector<std::string> mistakes;
    for (const GradientExplanation& one : verdict.explanations) {
        const std::string& id = one.explanation.id;
        const bool known = std::find(mistakes.begin(), mistakes.end(), id) != mistakes.end();
        if (!is_imprecision(one.explanation) && !known) mistakes.push_back(id);
    }
    verdict.explanations = likeliest(std::move(verdict.explanations));
    if (!verdict.explanations.empty() && is_imprecision(verdict.explanations.front().explanation)) {
        verdict.state = Answer::imprecise;
        verdict.doubts.insert(verdict.doubts.begin(), mistakes.begin(), mistakes.end());
    } else {
        verdict.doubts.clear();
    }
}

std::string statement_of_part(const std::string& rows, const std::string& columns,
                              const std::string& content) {
    return (rows.empty() ? "" : set_of("row", rows) + ", ") + set_of("column", columns) + ": " +
           content;
}

}  // namespace rmsnorm::judge
