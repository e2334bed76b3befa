// The parts of a page that show one experiment each: a chapter's page and the experiment's own
// page share them. `at` leads the paths: "" at the JSON's root, "proof/" for its object.
#pragma once

#include <string>

#include "report/html/view.hpp"

namespace rmsnorm::report::html {

/// Input, statistics, rescaled vector, gain and output as cards. `epsilon` is a path.
std::string forward_cards(const View& view, const std::string& epsilon);

std::string scale_cards(const View& view);

/// The plot of a `sweep` document and the table of its points.
std::string sweep_plot(const View& view);

std::string history_table(const View& view);
std::string backward_cards(const View& view);
std::string gradient_check_table(const View& view, const std::string& at);
std::string parameter_pairs(const View& view);
std::string zero_pairs(const View& view);
std::string batch_table(const View& view);
std::string boundary_table(const View& view);

/// The table of an experiment's checks.
std::string check_table(const View& view);

/// Any record, array or figure: names and values, nested as the JSON is.
std::string tree(const View& view, const std::string& path);

}  // namespace rmsnorm::report::html
