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
    std::string form;  // in words; may be empty

    auto operator<=>(const Mistake&) const = default;
};

Mistake mistake_of(const Explanation& explanation);

/// What the implementations of a mistake do on a test. Every order of sums, every root and every
/// place of the roundings that a right implementation may have, a wrong one may have as well.
struct Outcome {
    bool exposed = false;   // an implementation fails, however it rounds
    bool certain = true;    // every implementation fails
    bool possible = false;  // some implementation may fail
};

using Outcomes = std::map<Mistake, Outcome>;

/// Notes one implementation of a mistake.
void note(Outcomes& outcomes, const Mistake& mistake, bool fails, bool may_fail);

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

/// A test case with what follows from it. `accepted` is empty where there is no bound of use, or a
/// case is to be refused: then there are no outcomes either.
struct Trial {
    std::vector<Accepted> accepted;
    Outcomes outcomes;
};

/// What is asked of outcomes: only whether they are exposed, or all.
enum class Depth { exposed, all };

Trial forward_trial(const TestCase& test, NumberFormat format, Depth depth);
Trial backward_trial(const TestCase& test, NumberFormat format);

}  // namespace rmsnorm::judge::vectors
