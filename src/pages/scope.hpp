// What the words of a template's tags mean where they stand.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pages/drawing.hpp"
#include "pages/filler.hpp"
#include "pages/lookup.hpp"
#include "pages/plot_tags.hpp"
#include "pages/template.hpp"

namespace rmsnorm::pages {

/// A stretch of a tensor: a row of it.
struct Window {
    std::size_t start;
    std::size_t count;
};

/// Where in the evidence and in a template's calls the filling is.
struct Scope {
    const FigureLookup* lookup = nullptr;
    std::string path = {};  // of "."
    const Arguments* arguments = nullptr;
    std::size_t index = 0;              // in the innermost loop
    std::string key = {};               // of the record's field there, or the element's position
    std::size_t row = 0;                // in the innermost loop over rows
    std::optional<Window> window = {};  // of "." in such a loop
    std::size_t total = 0;              // of what a gap stands in
    std::size_t left_out = 0;           // of it
    const BarScale* bars = nullptr;
    PlotTags* plot = nullptr;
};

struct Place {
    const FigureLookup* lookup;
    std::string path;

    const evidence::Datum& datum() const { return lookup->at(path); }
};

/// What a page's words are looked up in. PageError where there is no such thing.
class Names {
  public:
    explicit Names(const Content& content);

    Scope outermost() const;

    /// Of a call, of the page, or $index, $number or $key of a loop.
    std::optional<std::string> argument(std::string_view name, const Scope& scope) const;

    /// The word with every $name in it replaced.
    std::string expanded(const std::string& word, const Scope& scope) const;
    std::vector<Word> expanded(std::vector<Word> words, const Scope& scope) const;

    /// The words with keys.
    Arguments keyed(const Node& node, const Scope& scope) const;

    /// A plain word of the tag.
    std::string word(const Node& node, std::size_t position, const Scope& scope) const;

    /// The place that a word of the tag names; "." without it.
    Place place(const Node& node, std::size_t position, const Scope& scope) const;
    Place place(const std::string& word, const Scope& scope) const;

    /// All places of the columns that the tag's words from `first` on name.
    std::vector<Place> columns(const Node& node, std::size_t first, const Scope& scope) const;

  private:
    Arguments arguments_;
    std::vector<FigureLookup> lookups_;
};

}  // namespace rmsnorm::pages
