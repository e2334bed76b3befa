// What a test vector accepts, and which mistakes it exposes.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "judge/explanation.hpp"
#include "judge/vectors/test_case.hpp"

namespace rmsnorm::judge::vectors {

/// A mistake of the catalogue in one of its forms, as far as vectors tell them apart.
struct Mistake {
    std::string id;
    std::string form;               // in words; may be empty
    std::string tensor = "output";  // in which it shows

    // NOLINTNEXTLINE(modernize-use-nullptr): the compiler's own comparison with 0
    auto operator<=>(const Mistake&) const = default;
};

Mistake mistake_of(const Explanation& explanation);

/// What the implementations of a mistake do on a test. Every order of sums, every root and every
/// place of the roundings that a right implementation may have, a wrong one may have as well.
struct Outcome {
    bool exposed = false;   // an implementation fails, however it rounds
    bool certain = true;    // every implementation fails
    bool possible = false;  // some implementation may fail
    bool gives = false;     // some implementation may give what was found
};

using Outcomes = std::map<Mistake, Outcome>;

/// One implementation of a mistake, in all the ways that it may round.
struct Implementation {
    bool fails = false;     // in each of them
    bool may_fail = false;  // in one
    bool gives = false;     // in one, what was found
};

void note(Outcomes& outcomes, const Mistake& mistake, const Implementation& implementation);

/// Of each element: the exact value as the nearest binary64, and the least and the greatest number
/// of the format that a right program may give. The zero is positive.
struct Accepted {
    std::string tensor;  // output, input_gradient, gain_gradient
    std::vector<double> exact;
    std::vector<double> low;
    std::vector<double> high;

    void add(double value, const numeric::Interval& range);
};

/// Whether a range of possible values of an element has none that is accepted.
bool misses(const Accepted& accepted, std::size_t element, const numeric::Interval& range);
/// Whether it has one that is not accepted.
bool exceeds(const Accepted& accepted, std::size_t element, const numeric::Interval& range);

/// Whether a value may be one of a range of possible ones. A NaN may where nothing is known.
bool holds(const numeric::Interval& range, double value);

/// A test case with what follows from it. `accepted` is empty where there is no bound of use, or a
/// case is to be refused: then there are no outcomes either.
struct Trial {
    std::vector<Accepted> accepted;
    Outcomes outcomes;
};

/// The tensors that a program gave for a test, by their names; each of its size.
using Found = std::map<std::string, std::vector<double>>;

/// Without `found`, outcomes tell only what is exposed and certain.
Trial trial_of(const TestCase& test, NumberFormat format, Direction direction,
               const Found* found = nullptr);
Trial forward_trial(const TestCase& test, NumberFormat format, const Found* found);
Trial backward_trial(const TestCase& test, NumberFormat format, const Found* found);

}  // namespace rmsnorm::judge::vectors
