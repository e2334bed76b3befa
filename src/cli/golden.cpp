#include "cli/golden.hpp"

#include <algorithm>

#include "cli/error.hpp"
#include "cli/parse.hpp"
#include "report/respelling.hpp"

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

// A document or a part of the name of an experiment's document.
std::string experiment_in(std::string_view bytes) {
    constexpr std::string_view key = "\"experiment\": \"";
    const std::string_view header = bytes.substr(0, header_bytes);
    const std::size_t at = header.find(key);
    if (!header.starts_with('{') || at == std::string_view::npos) return "";
    const std::size_t start = at + key.size();
    return std::string(header.substr(start, header.find('"', start) - start));
}

}  // namespace

std::optional<Golden> golden_in(std::string_view bytes) {
    report::Decoded decoded = report::decoded(bytes);
    const auto golden = [&](const Kind& kind, bool rewritten) {
        return Golden{kind.fixture, kind.rendering->format, std::move(decoded.text),
                      std::move(decoded.changes), rewritten};
    };
    const std::vector<Kind> all = kinds();
    for (const Kind& kind : all) {
        if (!starts_like(*kind.rendering, decoded.text)) continue;
        const bool laid_out = decoded.text.starts_with("{\n  \"");
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
    return std::nullopt;
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
    return !nearest(header.substr(0, header.find('\n') + 1), first_lines).empty();
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
    if (const std::string name = experiment_in(bytes); !name.empty()) {
        return "the document of the experiment " + quoted(name);
    }
    const std::string line = quoted(bytes.substr(0, bytes.find('\n')));
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
    return listed(names);
}

}  // namespace rmsnorm::cli
