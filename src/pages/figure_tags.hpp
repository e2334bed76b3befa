// What tags within templates draw and measure of several figures at once (docs/pages.md).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "pages/drawing.hpp"
#include "pages/scope.hpp"

namespace rmsnorm::pages {

/// The columns of tables whose figures stand with their points under each other.
class AlignedColumns {
  public:
    /// What stands before the figure in `column`, a path with * for each of its rows.
    std::string before(const Place& place, const std::string& column);

  private:
    struct Widths {
        std::size_t digits = 0;  // before the points
        bool negative = false;

        static Widths of(const Place& place);
    };

    std::map<std::string, Widths> widths_;
};

/// The zero and the unit of bars for all these figures.
BarScale scale_of(const std::vector<Place>& places);

/// A row of scales as `judge` has them, on a line.
std::string strip_of(const Place& place);

}  // namespace rmsnorm::pages
