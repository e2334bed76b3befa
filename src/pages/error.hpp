// What is wrong with a page: a fault of the program, never of the reader's values.
#pragma once

#include <stdexcept>
#include <string>

namespace rmsnorm::pages {

/// `what()` names the template, the line and the tag, or the path that the evidence does not have.
class PageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace rmsnorm::pages
