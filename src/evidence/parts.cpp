#include "evidence/parts.hpp"

namespace rmsnorm::evidence {

Proof proof_of(const std::vector<Part>& parts, const std::vector<Part>& again) {
    const Check replay = replay_check(joined_results(parts), joined_results(again));
    Proof proof{replay.passed, {}};
    for (const Part& part : parts) {
        for (Check check : part.checks) {
            check.name = part.experiment + "/" + check.name;
            proof.checks.push_back(std::move(check));
        }
    }
    proof.checks.push_back(replay);
    return proof;
}

Record joined_results(const std::vector<Part>& parts) {
    Record record;
    for (const Part& part : parts) {
        for (const Field& field : part.results.fields) {
            record.add(field.key, Datum(field.datum), field.presence);
        }
    }
    return record;
}

ExactFigures joined_exact(const std::vector<Part>& parts, int bits) {
    ExactFigures figures(bits);
    for (const Part& part : parts) figures.add("", part.exact(bits));
    return figures;
}

std::string joined_text(const std::vector<Part>& parts) {
    std::string text;
    for (const Part& part : parts) text += part.text;
    return text;
}

}  // namespace rmsnorm::evidence
