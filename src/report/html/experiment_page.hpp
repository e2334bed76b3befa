// The page of one experiment on any values.
#pragma once

#include <string>

#include "report/document.hpp"
#include "report/figures.hpp"

namespace rmsnorm::report::html {

/// `extent` is that of the JSON within the page; long vectors are shown by their ends in any case.
std::string experiment_page(const Document& document, Extent extent = Extent::abridged);

}  // namespace rmsnorm::report::html
