#include "evidence/derivation.hpp"

#include "evidence/number_text.hpp"

namespace rmsnorm::evidence {

std::string term(double value) {
    const std::string text = figure_text(value);
    return value < 0 ? "(" + text + ")" : text;
}

void Derivation::heading(const std::string& text) {
    text_ += (text_.empty() ? "" : "\n") + text + "\n";
    count_ = 0;
}

void Derivation::step(const std::string& name, const std::string& formula,
                      const std::string& numbers) {
    text_ +=
        "  " + std::to_string(++count_) + ". " + name + ": " + formula + "\n     " + numbers + "\n";
}

void Derivation::note(const std::string& text) { text_ += text + "\n"; }

std::string Derivation::list(std::span<const double> values) const {
    return figure_list(values, shown(values.size(), most_terms));
}

}  // namespace rmsnorm::evidence
