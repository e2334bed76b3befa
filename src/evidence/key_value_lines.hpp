// Lines of a report, put together from words and figures.
#pragma once

#include <string>
#include <string_view>

#include "evidence/figure_text.hpp"

namespace rmsnorm::evidence {

/// Text made of lines "name=" followed by space-separated "key:value" parts.
class Lines {
  public:
    explicit Lines(Extent extent = Extent::full) : extent_(extent) {}

    /// Starts a line.
    Lines& line(std::string_view name);

    /// Adds to the line that was started last.
    Lines& text(std::string_view text);
    Lines& part(std::string_view key, std::string_view value);
    Lines& part(std::string_view key, double value, Decimals decimals = {});
    Lines& part(std::string_view key, Scalar figure);
    Lines& part(std::string_view key, const tensor::Tensor& tensor);

    /// Adds the parts "shape" and "values".
    Lines& shaped(const tensor::Tensor& tensor);

    /// A whole line "name=[…]".
    Lines& vector(std::string_view name, const tensor::Tensor& tensor);

    /// All lines, each ended.
    std::string str() const { return text_.empty() ? text_ : text_ + "\n"; }

  private:
    Extent extent_;
    std::string text_;
};

}  // namespace rmsnorm::evidence
