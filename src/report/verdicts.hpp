// The verdicts on golden files as a document, and its schema.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/diff.hpp"

namespace rmsnorm::report {

enum class Outcome {
    same,
    updated,       // it differed and was rewritten
    respelled,     // the same values, spelled otherwise
    differs,       // in a value, or in what a text says
    check_failed,  // a check of the computed evidence
    refused,       // no golden
    unreadable,
};

struct Verdict {
    std::string file;
    Outcome outcome = Outcome::same;
    std::string subject = {};  // a fixture's or an experiment's name; empty where there is none
    std::string format = {};
    std::vector<std::string> spelling = {};  // "minified", "carriage returns", …
    std::optional<Place> place = {};         // of the first difference
    std::string difference = {};             // a unified diff, or the values that differ
    std::string message = {};                // of a refusal or a failed reading
};

struct Verdicts {
    std::vector<Verdict> files;            // in the order in which they were compared
    std::vector<std::string> passed_over;  // what stood in a folder and is no golden
    std::vector<std::string> missing;      // required fixtures without a golden
    int exit_code = 0;
};

/// One line without an end, and below it the difference: "a.txt: same (25-rmsnorm text)".
std::string text(const Verdict& verdict);

std::string json(const Verdicts& verdicts);

/// The JSON Schema (draft 2020-12) of that document.
std::string verdicts_schema();

}  // namespace rmsnorm::report
