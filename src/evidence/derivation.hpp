// A worked derivation for a learner: each stage with its formula, the numbers put in, and the
// result, which is what a reader gets who puts in the numbers as they are written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "evidence/figure_text.hpp"
#include "numeric/rounded.hpp"

namespace rmsnorm::evidence {

/// A formula with numbers put in: how it is written, and what it gives for the numbers as they are
/// written, one value or one a place.
struct Worked {
    std::string text;
    std::vector<numeric::Rounded64> values;
    bool is_list = false;
};

/// A single value goes with every place of a list.
Worked operator+(const Worked& a, const Worked& b);
Worked operator-(const Worked& a, const Worked& b);
Worked operator*(const Worked& a, const Worked& b);
Worked operator/(const Worked& a, const Worked& b);
Worked in_brackets(Worked worked);
Worked power(Worked base, int exponent);
Worked sqrt(const Worked& worked);
Worked power_of_e(const Worked& exponent);  // "exp(2)"

/// How a step writes its numbers: those that were given as they were, those of earlier steps with
/// as many digits as the result needs.
class Written {
  public:
    Written(Extent extent, int more_digits) : extent_(extent), more_digits_(more_digits) {}

    Worked given(double value) const;
    Worked computed(double value) const;

    /// Within a formula: a negative number in brackets.
    Worked given_term(double value) const;
    Worked computed_term(double value) const;

    /// "[3, 4]".
    Worked given_list(std::span<const double> values) const;
    Worked computed_list(std::span<const double> values) const;

    /// "3^2 + 4^2": `one` of each place, joined; an abridged sum ends in "+ ...".
    template <class One>
    Worked sum(std::size_t count, One one) const {
        Worked total{"", {}};
        const std::size_t most = extent_ == Extent::full ? count : std::min(count, most_terms);
        for (std::size_t i = 0; i < count; ++i) {
            const Worked part = one(i);
            if (i < most) total.text.append(i == 0 ? "" : " + ").append(part.text);
            total.is_list = part.is_list;
            total.values.resize(part.values.size(), numeric::Rounded64(0));
            for (std::size_t place = 0; place < part.values.size(); ++place) {
                total.values[place] = total.values[place] + part.values[place];
            }
        }
        if (most < count) total.text += " + ...";
        return total;
    }

    static constexpr std::size_t most_terms = 8;

  private:
    Extent extent_;
    int more_digits_;
};

class Derivation {
  public:
    /// Lists and sums of many values are abridged as `extent` says.
    explicit Derivation(Extent extent) : extent_(extent) {}

    /// Begins a chain of steps, which are counted from 1.
    void heading(const std::string& text);

    /// The formula, then the numbers and their result on a line of their own. `numbers` makes a
    /// Worked of a Written. Where rounding on the way is all that decides, the line says so.
    template <class Numbers>
    void step(const std::string& name, const std::string& formula, Numbers numbers,
              std::span<const double> result) {
        const std::string best = results_of(numbers(Written(extent_, most_more_digits)), result);
        int more_digits = 0;
        while (results_of(numbers(Written(extent_, more_digits)), result) != best) ++more_digits;
        add_step(name, formula, numbers(Written(extent_, more_digits)).text + " = " + best);
    }
    template <class Numbers>
    void step(const std::string& name, const std::string& formula, Numbers numbers, double result) {
        step(name, formula, numbers, std::span<const double>(&result, 1));
    }

    void note(const std::string& text);

    /// What a plain text has in lines `note=`.
    void notes(const std::vector<std::string>& notes);

    /// "[3, 4]": numbers that were given.
    std::string list(std::span<const double> values) const;

    /// How many of `count` parts are derived.
    std::size_t shown(std::size_t count, std::size_t most) const {
        return extent_ == Extent::full ? count : std::min(count, most);
    }

    const std::string& str() const { return text_; }

  private:
    static constexpr int most_more_digits = 11;

    // The result with the digits that follow from the numbers.
    std::string results_of(const Worked& worked, std::span<const double> result) const;
    void add_step(const std::string& name, const std::string& formula, const std::string& line);

    Extent extent_;
    std::string text_;
    int count_ = 0;
};

}  // namespace rmsnorm::evidence
