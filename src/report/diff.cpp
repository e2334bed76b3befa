#include "report/diff.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rmsnorm::report {
namespace {

constexpr std::size_t context_lines = 3;

// A minimal script is sought when the lines between the common ends multiply to at most this: its
// time and memory grow with the product. Beyond it, all of them are replaced.
constexpr std::size_t most_line_pairs = std::size_t{1} << 22;

// Whole lines that stand in both texts (' '), in the golden only ('-') or in the computed text only
// ('+').
struct Run {
    char kind;
    std::string_view text;
    std::size_t lines;
};

std::size_t line_count(std::string_view text) {
    const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    return ends + (text.empty() || text.back() == '\n' ? 0 : 1);
}

void add_run(std::vector<Run>& runs, char kind, std::string_view text) {
    if (!text.empty()) runs.push_back({kind, text, line_count(text)});
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return lines;
}

std::string_view common_start(std::string_view a, std::string_view b) {
    const auto differing = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
    const auto same = a.substr(0, static_cast<std::size_t>(differing - a.begin()));
    if (same.size() == a.size() && same.size() == b.size()) return a;
    const std::size_t last_end = same.rfind('\n');
    return same.substr(0, last_end == std::string_view::npos ? 0 : last_end + 1);
}

std::string_view common_end(std::string_view a, std::string_view b) {
    const auto differing = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first;
    const auto size = static_cast<std::size_t>(differing - a.rbegin());
    const auto starts_line = [&](std::string_view text) {
        return text.size() == size || text[text.size() - size - 1] == '\n';
    };
    const std::string_view same = a.substr(a.size() - size);
    if (starts_line(a) && starts_line(b)) return same;
    const std::size_t first_end = same.find('\n');
    return first_end == std::string_view::npos ? same.substr(size) : same.substr(first_end + 1);
}

// A minimal script, read from the table of how many lines the texts have in common from their lines
// i and j on; in every change what goes stands before what comes.
void add_minimal_script(std::vector<Run>& runs, std::string_view golden,
                        std::string_view computed) {
    const std::vector<std::string_view> old_lines = lines_of(golden);
    const std::vector<std::string_view> new_lines = lines_of(computed);
    const std::size_t columns = new_lines.size() + 1;
    // The shorter text has at most the root of most_line_pairs lines.
    std::vector<std::uint16_t> common((old_lines.size() + 1) * columns);
    for (std::size_t i = old_lines.size(); i-- > 0;) {
        for (std::size_t j = new_lines.size(); j-- > 0;) {
            const std::uint16_t* here = &common[i * columns + j];
            common[i * columns + j] = old_lines[i] == new_lines[j]
                                          ? static_cast<std::uint16_t>(here[columns + 1] + 1)
                                          : std::max(here[columns], here[1]);
        }
    }
    std::size_t same = 0;
    std::size_t removed = 0;
    std::size_t added = 0;
    const auto flush = [&] {
        add_run(runs, ' ', golden.substr(0, same));
        golden.remove_prefix(same);
        computed.remove_prefix(same);
        add_run(runs, '-', golden.substr(0, removed));
        golden.remove_prefix(removed);
        add_run(runs, '+', computed.substr(0, added));
        computed.remove_prefix(added);
        same = removed = added = 0;
    };
    for (std::size_t i = 0, j = 0; i < old_lines.size() || j < new_lines.size();) {
        const bool in_both = i < old_lines.size() && j < new_lines.size();
        if (in_both && old_lines[i] == new_lines[j]) {
            if (removed + added > 0) flush();
            same += old_lines[i++].size();
            ++j;
        } else if (in_both ? common[(i + 1) * columns + j] >= common[i * columns + j + 1]
                           : i < old_lines.size()) {
            removed += old_lines[i++].size();
        } else {
            added += new_lines[j++].size();
        }
    }
    flush();
}

std::vector<Run> runs_of(std::string_view golden, std::string_view computed) {
    std::vector<Run> runs;
    const std::string_view start = common_start(golden, computed);
    add_run(runs, ' ', start);
    golden.remove_prefix(start.size());
    computed.remove_prefix(start.size());
    const std::string_view end = common_end(golden, computed);
    golden.remove_suffix(end.size());
    computed.remove_suffix(end.size());
    const std::size_t golden_lines = line_count(golden);
    if (golden_lines > 0 && line_count(computed) <= most_line_pairs / golden_lines) {
        add_minimal_script(runs, golden, computed);
    } else {
        add_run(runs, '-', golden);
        add_run(runs, '+', computed);
    }
    add_run(runs, ' ', end);
    return runs;
}

std::string_view first_lines(std::string_view text, std::size_t lines) {
    std::size_t size = 0;
    for (; lines > 0 && size < text.size(); --lines) {
        size = std::min(text.find('\n', size), text.size() - 1) + 1;
    }
    return text.substr(0, size);
}

std::string_view last_lines(std::string_view text, std::size_t lines) {
    std::size_t start = text.size();
    for (; lines > 0 && start > 0; --lines) {
        const std::size_t end = start < 2 ? std::string_view::npos : text.rfind('\n', start - 2);
        start = end == std::string_view::npos ? 0 : end + 1;
    }
    return text.substr(start);
}

// The lines of a hunk, and how many of them each text has.
class Hunk {
  public:
    Hunk(std::size_t golden_line, std::size_t computed_line)
        : golden_line_(golden_line), computed_line_(computed_line) {}

    void add(char kind, std::string_view text) {
        while (!text.empty()) {
            const std::string_view line = first_lines(text, 1);
            body_ += kind;
            body_.append(line);
            if (line.back() != '\n') body_ += "\n\\ No newline at end of file\n";
            if (kind != '+') ++golden_count_;
            if (kind != '-') ++computed_count_;
            text.remove_prefix(line.size());
        }
    }

    std::string header() const {
        return "@@ -" + range(golden_line_, golden_count_) + " +" +
               range(computed_line_, computed_count_) + " @@\n";
    }

    const std::string& body() const { return body_; }

  private:
    // A range without lines names the line before it.
    static std::string range(std::size_t line, std::size_t count) {
        const std::string first = std::to_string(count == 0 ? line - 1 : line);
        return count == 1 ? first : first + "," + std::to_string(count);
    }

    std::size_t golden_line_;
    std::size_t computed_line_;
    std::size_t golden_count_ = 0;
    std::size_t computed_count_ = 0;
    std::string body_;
};

std::vector<Hunk> hunks(const std::vector<Run>& runs) {
    std::vector<Hunk> all;
    bool open = false;
    std::size_t golden_line = 1;
    std::size_t computed_line = 1;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Run& run = runs[i];
        const bool last = i + 1 == runs.size();
        if (run.kind != ' ') {
            if (!open) all.emplace_back(golden_line, computed_line);
            open = true;
            all.back().add(run.kind, run.text);
        } else if (open && !last && run.lines <= 2 * context_lines) {
            all.back().add(' ', run.text);
        } else {
            if (open) all.back().add(' ', first_lines(run.text, context_lines));
            open = !last;
            if (open) {
                const std::size_t before = run.lines - std::min(run.lines, context_lines);
                all.emplace_back(golden_line + before, computed_line + before);
                all.back().add(' ', last_lines(run.text, context_lines));
            }
        }
        if (run.kind != '+') golden_line += run.lines;
        if (run.kind != '-') computed_line += run.lines;
    }
    return all;
}

}  // namespace

std::optional<Place> first_difference(std::string_view golden, std::string_view computed) {
    const auto [in_golden, in_computed] =
        std::mismatch(golden.begin(), golden.end(), computed.begin(), computed.end());
    if (in_golden == golden.end() && in_computed == computed.end()) return std::nullopt;
    const auto offset = static_cast<std::size_t>(in_golden - golden.begin());
    const std::string_view before = golden.substr(0, offset);
    const auto newlines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t line_start = before.rfind('\n');
    return Place{newlines + 1,
                 line_start == std::string_view::npos ? offset + 1 : offset - line_start};
}

std::string unified_diff(const std::string& golden_name, std::string_view golden,
                         const std::string& computed_name, std::string_view computed) {
    if (golden == computed) return "";
    std::string text = "--- " + golden_name + "\n+++ " + computed_name + "\n";
    for (const Hunk& hunk : hunks(runs_of(golden, computed)))
        text.append(hunk.header()).append(hunk.body());
    return text;
}

}  // namespace rmsnorm::report
