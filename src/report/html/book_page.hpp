// The page of the fixture 23-normalization.
#pragma once

#include <string>

#include "report/document.hpp"

namespace rmsnorm::report::html {

std::string book_page(const Document& book);

}  // namespace rmsnorm::report::html
