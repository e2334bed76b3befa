// The pages: one file each that needs nothing else, from evidence to a string.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/exhibit/exhibit.hpp"
#include "pages/filler.hpp"
#include "report/document.hpp"
#include "report/figures.hpp"

namespace rmsnorm::pages {

inline constexpr std::string_view chapter_heading = "RMSNorm: one vector, there and back";
inline constexpr std::string_view exhibit_heading = "LayerNorm against RMSNorm";
inline constexpr std::string_view book_heading = "Normalization, in binary32";

/// The fixture 25-rmsnorm; `sweep` and `scale` are the documents of these experiments with the
/// chapter's values.
std::string chapter_page(const report::Document& chapter, const report::Document& sweep,
                         const report::Document& scale, Branches branches = Branches::taken);

/// The fixture 23-normalization; `stats` is the document of its first experiment, `drift` of what
/// stacks without a norm do.
std::string book_page(const report::Document& book, const report::Document& stats,
                      const report::Document& drift, Branches branches = Branches::taken);

/// The fixture exhibit-rmsnorm. `manifest` is the exhibit's own JSON, which the page offers as a
/// file; `certification` that of the exhibit's results.
std::string exhibit_page(const experiments::Exhibit& exhibit, const std::string& manifest,
                         const std::optional<evidence::Certification>& certification = {},
                         Branches branches = Branches::taken);

/// One experiment on any values. `extent` is that of the JSON within the page; long vectors are
/// shown by their ends in any case.
std::string experiment_page(const report::Document& document,
                            report::Extent extent = report::Extent::abridged,
                            Branches branches = Branches::taken);

struct IndexEntry {
    std::string id;     // of the fixture, plain text as is all here
    std::string title;  // of its page
    std::string file;   // beside the index
    std::string summary;
};

/// The page that leads to the fixtures' pages.
std::string index_page(const std::vector<IndexEntry>& entries);

}  // namespace rmsnorm::pages
