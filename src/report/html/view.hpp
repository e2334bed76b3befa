// A document's figures by their place in its JSON: what a page shows is what the JSON holds.
#pragma once

#include <cstddef>
#include <string>

#include "report/document.hpp"

namespace rmsnorm::report::html {

/// The figures of one document. A path names the keys and the positions on the way from the
/// JSON's root: "primary/output/1", "scales/0/epsilon".
class View {
  public:
    /// `block` is the id of the page's <script> element with the document's JSON.
    explicit View(const Document& document, std::string block = "evidence");

    const Document& document() const { return document_; }
    const std::string& block() const { return block_; }

    /// What follows throws std::out_of_range when the document has no such path, or no such kind
    /// of thing there: a page asks only for what its experiment has.
    const evidence::Datum& at(const std::string& path) const;
    bool has(const std::string& path) const;

    /// How many items an array has, or elements a tensor.
    std::size_t count(const std::string& path) const;
    const tensor::Tensor& tensor(const std::string& path) const;

    /// A scalar, a count or one element of a tensor: where a bar or a point is drawn.
    double value(const std::string& path) const;
    bool truth(const std::string& path) const;

    /// A figure, a count, a verdict or a word as the JSON displays it.
    std::string words(const std::string& path) const;

    /// The same as an element that names its path.
    std::string figure(const std::string& path) const;

  private:
    Document document_;
    evidence::Record root_;
    std::string block_;
};

}  // namespace rmsnorm::report::html
