#include "report/vectors_text.hpp"

#include <algorithm>
#include <map>

#include "evidence/words.hpp"
#include "report/vectors_notes.hpp"

namespace rmsnorm::report {
namespace {

using judge::vectors::Accepted;
using judge::vectors::Checked;
using judge::vectors::Diagnosis;
using judge::vectors::Failure;
using judge::vectors::Mistake;
using judge::vectors::TestVector;
using judge::vectors::VectorSet;

std::string line_of(const Failure& failure, const VectorSet& set) {
    const TestVector& vector = set.tests[failure.id - 1];
    std::string line = "test " + std::to_string(failure.id) + " (" + vector.test.comment + "): ";
    if (failure.missing) return line + "no result, " + failure.tensor + "\n";
    const auto accepted =
        std::find_if(vector.trial.accepted.begin(), vector.trial.accepted.end(),
                     [&](const Accepted& one) { return one.tensor == failure.tensor; });
    const auto bits = [&](double value) { return numeric::hex(set.format, value); };
    return line + failure.tensor + "[" + std::to_string(failure.element) + "] is " +
           bits(failure.found) + ", accepted are " + bits(accepted->low[failure.element]) + " to " +
           bits(accepted->high[failure.element]) + "; wrong are " + std::to_string(failure.wrong) +
           " of " + std::to_string(failure.elements) + "\n";
}

// One line an id, with the forms that fit.
std::string mistakes_of(const Diagnosis& diagnosis, const VectorSet& set) {
    std::map<std::string, std::string> forms;
    for (const Mistake& mistake : diagnosis.mistakes) {
        std::string& text = forms[mistake.id];
        if (mistake.form.empty()) continue;
        text.append(text.empty() ? " (" : "; ").append(mistake.form);
    }
    std::string text = diagnosis.tensor + ": ";
    text += forms.size() == 1 ? "the mistake that " : "mistakes, one of which ";
    text += diagnosis.gives ? "gives these results:\n" : "fails these tests:\n";
    for (const auto& [id, form] : forms) {
        text += "  " + id + ": " + vectors_note(id, set.direction) + form +
                (form.empty() ? "\n" : ")\n");
    }
    return text;
}

std::string flags_of(const Diagnosis& diagnosis) {
    const std::string text = evidence::listed(diagnosis.common_flags);
    return diagnosis.tensor + ": no single mistake fits; flags that all failed tests have: " +
           (text.empty() ? "none" : text) + "\n";
}

}  // namespace

std::string text(const Checked& checked, const VectorSet& set) {
    std::string text = std::string(numeric::dtype_name(set.format)) + " " +
                       std::string(name(set.direction)) + ": " +
                       (checked.failed == 0 ? "passed, all"
                                            : "failed, " + std::to_string(checked.failed) + " of") +
                       " " + std::to_string(checked.tests) + " tests\n";
    for (const Failure& failure : checked.failures) text += line_of(failure, set);
    for (const Diagnosis& diagnosis : checked.diagnoses) {
        text += diagnosis.mistakes.empty() ? flags_of(diagnosis) : mistakes_of(diagnosis, set);
    }
    return text;
}

}  // namespace rmsnorm::report
