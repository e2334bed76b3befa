// A document's figures by their place in its JSON: what a page shows is what the JSON holds.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pages/reading.hpp"
#include "report/document.hpp"

namespace rmsnorm::pages {

/// The figures of one document. A path names the keys and the positions on the way from the
/// JSON's root: "primary/output/1", "scales/0/epsilon". The position "last" is that of the last
/// item. What follows throws PageError when the document has no such path, or no such kind of thing
/// there: a page asks only for what its experiment has.
class FigureLookup {
  public:
    /// `block` is the id of the page's <script> element with the document's JSON.
    explicit FigureLookup(const report::Document& document, std::string block = "evidence");

    const std::string& block() const { return block_; }

    /// The empty path is the root. A path to an element of a tensor is no datum.
    const evidence::Datum& at(const std::string& path) const;
    bool has(const std::string& path) const;

    /// The path with every "last" replaced by the position.
    std::string canonical(const std::string& path) const;

    /// How many items an array has, fields a record, or elements a tensor.
    std::size_t count(const std::string& path) const;
    const tensor::Tensor& tensor(const std::string& path) const;
    bool is_tensor(const std::string& path) const;  // the whole one, not an element

    /// A scalar, a count or one element of a tensor: where a bar or a point is drawn.
    double value(const std::string& path) const;
    bool truth(const std::string& path) const;

    /// A figure, a count, a verdict or a word as the JSON displays it.
    std::string words(const std::string& path) const;

    /// A number as people read it; nothing for a count, a verdict or words.
    std::optional<Reading> reading(const std::string& path) const;

    /// A figure as it is read, or the words, as an element that names its path. The digits are its
    /// `value` where they are others. Where the document is certified, a mark behind it leads to
    /// what the digits are worth.
    std::string figure(const std::string& path) const;

    /// The id of the element that tells what a figure's digits are worth.
    static std::string worth_id(const std::string& block, const std::string& path);

    /// The paths of a column, where one "*" stands for each item of an array or element of a
    /// tensor: "sweep/*/factor". A path without one is a column of itself.
    std::vector<std::string> column(const std::string& pattern) const;

  private:
    // A place is a datum, or one element of a tensor.
    struct Found {
        const evidence::Datum* datum = nullptr;
        std::optional<std::size_t> element = {};
        std::string path = {};
    };

    std::string element(const std::string& path) const;
    std::string mark(const std::string& path) const;
    Found find(const std::string& path) const;
    Found require(const std::string& path) const;

    evidence::Datum root_;
    std::string block_;
    std::map<std::string, evidence::Worth> worths_;  // by path, of a certified document
};

}  // namespace rmsnorm::pages
