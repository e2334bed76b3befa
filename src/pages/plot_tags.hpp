// The tags that describe a plot within {{#plot}} (docs/pages.md).
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pages/drawing.hpp"
#include "pages/lookup.hpp"
#include "pages/template.hpp"

namespace rmsnorm::pages {

class PlotTags {
  public:
    /// The paths of a column and the document that has them.
    using Resolver = std::function<std::pair<const FigureLookup*, std::vector<std::string>>(
        const std::string& pattern)>;

    /// Whether the words are a tag of a plot. Throws PageError for one that cannot be.
    bool take(const std::vector<Word>& words, const Resolver& resolve);

    const Plot& plot() const { return plot_; }

  private:
    Plot plot_;
};

}  // namespace rmsnorm::pages
