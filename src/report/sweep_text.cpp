// The sweep as lines of figures, and as a plot of plain characters.
#include <algorithm>
#include <cmath>

#include "report/lines.hpp"
#include "report/text.hpp"

namespace rmsnorm::report {
namespace {

using evidence::difference_decimals;
using evidence::setting;

// One row a factor, a bar from 0 to 1.
std::string plot(const evidence::Sweep& e) {
    constexpr std::size_t bar_width = 50;
    std::size_t label_width = 0;
    for (const auto& point : e.points) {
        label_width = std::max(label_width, numeric::shortest(point.factor).size());
    }
    std::string text = "plot=normalized_mean_square, 0 to 1, by factor\n";
    for (const auto& point : e.points) {
        const std::string label = numeric::shortest(point.factor);
        const double part = std::clamp(point.normalized_mean_square, 0.0, 1.0);
        const auto length =
            static_cast<std::size_t>(std::floor(part * static_cast<double>(bar_width) + 0.5));
        text.append(label_width - label.size(), ' ').append(label).append(" |");
        text.append(length, '#').append(bar_width - length, ' ').append("| ");
        text.append(name(point.regime)).append("\n");
    }
    return text;
}

}  // namespace

std::string text(const evidence::Sweep& e, Extent) {
    Lines lines;
    for (const auto& point : e.points) {
        lines.line("sweep")
            .part("factor", setting(point.factor))
            .part("mean_square", point.mean_square, difference_decimals(point.mean_square))
            .part("normalized_mean_square", point.normalized_mean_square,
                  difference_decimals(point.normalized_mean_square))
            .part("closed_form", point.closed_form, difference_decimals(point.closed_form))
            .part("max_abs_diff", point.max_abs_diff, difference_decimals(point.max_abs_diff))
            .part("regime", name(point.regime));
    }
    return lines.str() + plot(e);
}

}  // namespace rmsnorm::report
