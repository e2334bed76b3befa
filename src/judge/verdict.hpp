// What is said of an output that another program computed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "judge/answer.hpp"
#include "judge/search.hpp"

namespace rmsnorm::judge {

struct Recipe;

/// A set of rows or columns: "all", "7", "4:8" (4 to 7), "3::4" (every fourth from 3), "1,5,9".
std::string index_set(const std::vector<std::size_t>& indices, std::size_t count);

/// Such a set in words: "all rows", "row 7", "rows 4:8".
std::string set_in_words(const std::string& thing, const std::string& set);

/// Where mistakes stand when they are not everywhere.
struct Place {
    std::string rows = "all";
    std::string columns = "all";

    bool operator==(const Place&) const = default;
};

/// One way to explain a wrong or imprecise output.
struct Finding {
    std::vector<Explanation> explanations;  // more than one: all of them at once
    std::optional<Place> place;             // of a part
    std::size_t rows = 0;                   // that it explains
    double largest_distance = 0;            // of a measured scale, as a part of the bound
    double cost = 0;
    std::optional<Hypothesis> hypothesis;  // what can be computed with it
    std::vector<double> also = {};  // numbers that explain it as well as the one that is named
};

/// The largest distance to the exact result, in units in the last place of the output's format.
struct OutputError {
    double max_ulp = 0;    // infinite for a NaN, an infinity or a sign that is wrong
    double bound_ulp = 0;  // of a right output at that place
    std::size_t row = 0;
    std::size_t column = 0;
    double found = 0;
    double expected = 0;  // a NaN where the input makes the row one
};

/// Whether no element was off, and none yet noted whose result is other than zero.
inline bool is_nowhere(const OutputError& error) {
    return error.max_ulp == 0 && error.expected == 0;
}

/// The scale that an explanation of the whole gives a row, when it replaces the scale alone.
struct Candidate {
    std::size_t finding = 0;  // which
    double scale = 0;
};

/// What one row's output leaves possible.
struct MeasuredRow {
    std::size_t row = 0;
    double mean_square = 0;
    double scale = 0;        // RMSNorm's own
    double bound_below = 0;  // relative
    double bound_above = 0;
    std::string unmeasured = {};  // why no scale was measured, or empty
    double low = 0;               // the measured scales
    double high = 0;
    double epsilon_low = 0;
    double epsilon_high = 0;  // infinite when the measured scale may be 0
    std::vector<Candidate> candidates = {};
};

/// A right way to round.
struct Form {
    Structure structure;
    // Offset plus gain is rounded to the gain's format, or a gain of binary64 to binary32 before.
    bool rounds_gain = false;
};

struct Fact {
    std::string statement;
};

/// The verdict without the recipe that was asked for.
struct FormulaVerdict {
    Answer answer = Answer::right;
    std::size_t rows_outside = 0;
};

struct Verdict {
    Answer answer = Answer::right;
    std::string recipe;                        // that was asked for, or empty
    std::optional<FormulaVerdict> by_formula;  // beside one
    std::vector<std::string> doubts;           // ids that it may be instead (docs/judge.md)
    std::vector<std::string> blind_to;         // ids that these data would not have shown
    OutputError error;
    std::size_t rows_judged = 0;
    std::size_t rows_outside = 0;  // the bound; with a recipe, that it does not write
    std::size_t rows_skipped = 0;
    std::optional<Form> form;        // of a right output: how it was rounded
    std::vector<Finding> findings;   // the likeliest first
    std::vector<MeasuredRow> table;  // a few rows
    std::vector<Fact> facts;         // of what nothing explains, and of what could not be judged
};

/// Judges the tensors. The memory is that of a few rows, and of a few bytes for each row.
/// `lists_blind_spots`: of a right output also what it would not have shown.
/// With a recipe the output is right when the recipe writes it, and only then.
Verdict judge(const Tensors& tensors, bool lists_blind_spots = true,
              const Recipe* recipe = nullptr);

/// What an output by one finding shows: which other findings it is not by, and which it may be.
struct Telling {
    std::size_t finding = 0;
    std::vector<std::size_t> told_from = {};
    std::vector<std::size_t> not_told_from = {};
};

/// An input on which explanations differ that the judged tensors could not tell apart.
struct Probe {
    std::size_t rows = 0;
    std::size_t width = 0;
    double epsilon = 0;
    std::vector<double> input;
    std::vector<double> gain;
    std::vector<Telling> tells = {};  // one for each finding that can be computed
};

/// Of the inputs that were tried the smallest that tells all findings from each other and from
/// RMSNorm, or the one that tells most; and which findings none of them told apart.
struct ProbeSearch {
    std::optional<Probe> probe;
    std::vector<Fact> facts;
};
ProbeSearch find_probe(const Tensors& tensors, const std::vector<Finding>& findings);

/// What is not told apart, in words: "epsilon-missing from epsilon-other 1e-08"; empty when nothing
/// is left.
std::string left_open(const std::vector<Telling>& tells, const std::vector<Finding>& findings);

}  // namespace rmsnorm::judge
