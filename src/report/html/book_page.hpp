// The page of the fixture 23-normalization.
#pragma once

#include <string>
#include <string_view>

#include "report/document.hpp"

namespace rmsnorm::report::html {

inline constexpr std::string_view book_heading = "Normalization, in binary32";

/// `stats` is the experiment with the vectors whose statistics the book has.
std::string book_page(const Document& book, const Document& stats);

}  // namespace rmsnorm::report::html
