// A worked derivation for a learner: each stage with its formula, the numbers put in, and the
// result.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "evidence/figure_text.hpp"

namespace rmsnorm::evidence {

/// A number within a formula: a negative one in brackets.
std::string term(double value);

class Derivation {
  public:
    /// Lists and sums of many values are abridged as `extent` says.
    explicit Derivation(Extent extent) : extent_(extent) {}

    /// Begins a chain of steps, which are counted from 1.
    void heading(const std::string& text);

    /// The formula, then the numbers and their result on a line of their own.
    void step(const std::string& name, const std::string& formula, const std::string& numbers);

    void note(const std::string& text);

    /// "[3, 4]".
    std::string list(std::span<const double> values) const;

    /// "3^2 + 4^2": `one` of each place, joined; an abridged sum ends in "+ ...".
    template <class One>
    std::string sum(std::size_t count, One one) const {
        std::string text;
        const std::size_t most = shown(count, most_terms);
        for (std::size_t i = 0; i < most; ++i) text.append(i == 0 ? "" : " + ").append(one(i));
        return most < count ? text + " + ..." : text;
    }

    /// How many of `count` parts are derived.
    std::size_t shown(std::size_t count, std::size_t most) const {
        return extent_ == Extent::full ? count : std::min(count, most);
    }

    const std::string& str() const { return text_; }

  private:
    static constexpr std::size_t most_terms = 8;

    Extent extent_;
    std::string text_;
    int count_ = 0;
};

}  // namespace rmsnorm::evidence
