#include "judge/gradient_fit.hpp"

#include <cmath>

namespace rmsnorm::judge {

std::optional<GradientFit> fitted(const InputGradientFormula& formula, const GradientReader& reader,
                                  const GradientRoundings& roundings,
                                  const std::vector<GradientRow>& rows) {
    double first_first = 0, first_second = 0, second_second = 0;
    double first_found = 0, second_found = 0;
    InputGradientErrors errors;
    for (const GradientRow& row : rows) {
        if (!evaluate(formula, reader, roundings, row, 0, errors)) continue;
        if (!all_finite(row.found)) return std::nullopt;
        for (std::size_t column = 0; column < row.found.size(); ++column) {
            const double first = errors.first[column];
            const double second = errors.second[column];
            first_first += first * first;
            first_second += first * second;
            second_second += second * second;
            first_found += first * row.found[column];
            second_found += second * row.found[column];
        }
    }
    const double square = first_first - 2 * first_second + second_second;
    const double determinant = first_first * second_second - first_second * first_second;
    if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
    GradientFit fit;
    fit.both = (first_found - second_found) / square;
    fit.first = fit.second = fit.both;
    if (determinant > 1e-6 * first_first * second_second) {
        fit.first = (first_found * second_second - second_found * first_second) / determinant;
        fit.second = (first_found * first_second - second_found * first_first) / determinant;
    }
    return fit;
}

}  // namespace rmsnorm::judge
