#include "cli/experiment_document.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/error.hpp"
#include "cli/experiment.hpp"
#include "cli/experiment_inputs.hpp"
#include "cli/golden.hpp"
#include "report/json.hpp"
#include "report/respelling.hpp"

namespace rmsnorm::cli {
namespace {

using experiments::Entry;

const Entry* entry_of(std::string_view name) {
    const Entry* const entry = experiments::named(name);
    return entry != nullptr && entry->kind != experiments::Kind::dialogue ? entry : nullptr;
}

JsonNode inputs_of(const std::string& path, const std::string& text) {
    const std::string accepted = "the document of an experiment, with its inputs";
    const JsonNode node = parse_json(path, text, {accepted, largest_golden});
    const auto inputs = node.find("inputs");
    if (!inputs) throw node.refusal("no inputs", accepted);
    if (!inputs->is(JsonKind::object)) throw inputs->refusal("an object");
    return *inputs;
}

// A document does not say how its figures are quoted: in the fixtures' way, or for a reader.
std::vector<report::Extent> extents(std::string_view text) {
    constexpr std::string_view key = "\"truncated\"";
    const std::size_t at = text.find(key);
    const std::size_t value =
        at == std::string_view::npos ? at : text.find_first_not_of(" \t\n:", at + key.size());
    const bool whole = value != std::string_view::npos && text[value] == 'f';
    std::vector<report::Extent> all{{.whole = whole}};
    constexpr int most_digits = 17;
    for (int digits = 0; digits <= most_digits; ++digits) {
        all.push_back({.whole = whole, .readable = true, .digits = digits});
    }
    return all;
}

std::size_t differing_lines(std::string_view a, std::string_view b) {
    std::size_t count = 0;
    while (!a.empty() || !b.empty()) {
        const std::string_view left = a.substr(0, a.find('\n'));
        const std::string_view right = b.substr(0, b.find('\n'));
        if (left != right) ++count;
        a.remove_prefix(std::min(a.size(), left.size() + 1));
        b.remove_prefix(std::min(b.size(), right.size() + 1));
    }
    return count;
}

}  // namespace

bool is_recomputable(std::string_view experiment) { return entry_of(experiment) != nullptr; }

FixtureReport recomputed(const std::string& path, const std::string& text) {
    const Entry& entry = *entry_of(report::text_member(text, "experiment"));
    const auto experiment = entry.make();
    const NamedInputs inputs = read_inputs(*experiment, inputs_of(path, text), path);
    inputs.explain([&] { experiment->run(); });
    FixtureReport nearest{"", experiment->checks()};
    std::size_t least = std::string::npos;
    for (const report::Extent& extent : extents(text)) {
        std::string bytes = report::json(document_of(entry, *experiment, extent), extent);
        const std::size_t differing =
            report::json_respelling(text, bytes) ? 0 : 1 + differing_lines(text, bytes);
        if (differing >= least) continue;
        least = differing;
        nearest.bytes = std::move(bytes);
        if (differing == 0) break;
    }
    return nearest;
}

}  // namespace rmsnorm::cli
