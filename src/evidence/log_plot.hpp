// Plots for a terminal: one line a row of figures, on a logarithmic axis, in plain ASCII.
#pragma once

#include <string>
#include <vector>

namespace rmsnorm::evidence {

struct PlotSeries {
    char mark;
    std::string name;
    std::vector<double> values;  // one a row
};

/// A line that explains the marks, one with the axis (whole powers of ten around the positive
/// values), and one a row: its label and the marks of its values. Where marks meet there is a `*`.
/// A value that is not positive has no place on the axis and stands as `<` at its left end.
std::string log_plot(const std::string& title, const std::vector<std::string>& row_labels,
                     const std::vector<PlotSeries>& series);

}  // namespace rmsnorm::evidence
