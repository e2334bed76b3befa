#include "cli/golden.hpp"

#include <algorithm>
#include <iterator>

#include "cli/commands.hpp"
#include "cli/error.hpp"
#include "cli/experiment_document.hpp"
#include "cli/parse.hpp"
#include "report/respelling.hpp"
#include "report/version.hpp"

namespace rmsnorm::cli {
namespace {

// A golden says in its first bytes what it is.
constexpr std::size_t header_bytes = 512;
// Damage may have put something before them, such as one side of a conflict.
constexpr std::size_t damaged_header_bytes = 4096;

struct Kind {
    const Fixture* fixture;
    const Rendering* rendering;
};

std::vector<Kind> kinds() {
    std::vector<Kind> all;
    for (const auto* list : {&fixtures(), &vector_fixtures()}) {
        for (const Fixture& fixture : *list) {
            for (const Rendering& rendering : fixture.renderings) {
                all.push_back({&fixture, &rendering});
            }
        }
    }
    return all;
}

bool starts_like(const Rendering& rendering, std::string_view text) {
    const std::string_view header = text.substr(0, header_bytes);
    return header.starts_with(rendering.start) &&
           header.find(rendering.mark) != std::string_view::npos;
}

// The name of an experiment near the beginning of a document, also of a damaged one.
std::string experiment_in(std::string_view text) {
    constexpr std::string_view key = "\"experiment\"";
    const std::string_view header = text.substr(0, damaged_header_bytes);
    const std::size_t at = header.find(key);
    if (at == std::string_view::npos) return "";
    const std::size_t start = header.find_first_not_of(" \t\n:", at + key.size());
    if (start == std::string_view::npos || header[start] != '"') return "";
    return std::string(header.substr(start + 1, header.find('"', start + 1) - start - 1));
}

// Whether an experiment is named that could be one of this program's, and is no other command.
bool names_experiment(std::string_view text) {
    const std::string name = experiment_in(text);
    const auto known = commands();
    const bool other = std::any_of(known.begin(), known.end(), [&](const Command& command) {
        return command.name == name && !is_recomputable(name);
    });
    return !name.empty() && !other &&
           text.find('"' + std::string(report::program_name) + '"') != std::string_view::npos;
}

// What --certify made, in JSON and on a page, in a text, in a trace: it holds more than the
// evidence that is computed again.
bool is_certified(std::string_view text) {
    constexpr std::string_view marks[] = {"\"certification\"", "\ncertified=", "\nCERTIFIED|"};
    return std::any_of(std::begin(marks), std::end(marks), [&](std::string_view mark) {
        return text.find(mark) != std::string_view::npos;
    });
}

}  // namespace

std::optional<Golden> golden_in(std::string_view bytes) {
    report::Decoded decoded = report::decoded(bytes);
    if (is_certified(decoded.text)) return std::nullopt;
    const auto golden = [&](const Kind& kind, bool rewritten) {
        return Golden{kind.fixture,
                      std::string(kind.fixture->id),
                      kind.rendering->format,
                      std::move(decoded.text),
                      std::move(decoded.changes),
                      rewritten};
    };
    const std::vector<Kind> all = kinds();
    const bool laid_out = decoded.text.starts_with("{\n  \"");
    for (const Kind& kind : all) {
        if (!starts_like(*kind.rendering, decoded.text)) continue;
        return golden(kind, kind.rendering->format == Format::json && !laid_out);
    }
    const std::size_t first = decoded.text.find_first_not_of(" \t\n");
    if (first == std::string::npos || decoded.text[first] != '{') return std::nullopt;
    for (const Kind& kind : all) {
        if (kind.rendering->format == Format::json &&
            report::has_member(decoded.text, kind.rendering->mark)) {
            return golden(kind, true);
        }
    }
    std::string experiment = report::text_member(decoded.text, "experiment");
    if (!is_recomputable(experiment)) return std::nullopt;
    return Golden{nullptr,
                  std::move(experiment),
                  Format::json,
                  std::move(decoded.text),
                  std::move(decoded.changes),
                  !laid_out};
}

bool resembles_golden(std::string_view bytes) {
    const std::string text = report::decoded(bytes).text;
    const std::string header = text.substr(0, damaged_header_bytes);
    std::vector<std::string> first_lines;
    for (const Kind& kind : kinds()) {
        const Rendering& rendering = *kind.rendering;
        const bool line_alone = rendering.mark.empty();
        if (header.find(line_alone ? rendering.start : rendering.mark) != std::string::npos) {
            return true;
        }
        if (line_alone) first_lines.emplace_back(rendering.start);
    }
    return names_experiment(header) ||
           !nearest(header.substr(0, header.find('\n') + 1), first_lines).empty();
}

bool named_like_golden(const std::string& name) {
    const std::vector<Kind> all = kinds();
    return std::any_of(all.begin(), all.end(),
                       [&](const Kind& kind) { return kind.rendering->golden_name == name; });
}

std::string described(std::string_view bytes) {
    if (bytes.empty()) return "an empty file";
    const std::string_view header = bytes.substr(0, header_bytes);
    if (header.find('\0') != std::string_view::npos) return "a binary file";
    if (is_certified(bytes)) return "a document of --certify, which verifies when made without it";
    if (const std::string name = experiment_in(bytes); bytes[0] == '{' && !name.empty()) {
        const bool damaged = is_recomputable(name);
        return std::string(damaged ? "a damaged" : "the") + " document of the experiment " +
               quoted(name) + (damaged ? "" : ", which verify cannot compute");
    }
    std::string line = quoted(bytes.substr(0, bytes.find('\n')));
    if (!resembles_golden(bytes)) return line;
    const bool conflict = header.find("<<<<<<< ") != std::string_view::npos;
    return std::string(conflict ? "a golden with a conflict marker" : "a damaged golden") +
           ", which starts with " + line;
}

std::string accepted_goldens() {
    std::vector<std::string> names;
    for (const Kind& kind : kinds()) {
        names.push_back(std::string(kind.fixture->id) + " " + format_name(kind.rendering->format));
    }
    return listed(names) + ", or the JSON document of an experiment";
}

}  // namespace rmsnorm::cli
