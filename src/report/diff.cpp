#include "report/diff.hpp"

#include <algorithm>
#include <dtl/dtl.hpp>
#include <sstream>
#include <vector>

namespace rmsnorm::report {
namespace {

// Lines without their ends; a text that does not end in a newline has a marker behind its last
// line.
std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            lines.push_back(std::string(text) + "\n\\ No newline at end of file");
            break;
        }
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
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
    dtl::Diff<std::string> diff(lines_of(golden), lines_of(computed));
    diff.onHuge();
    diff.compose();
    diff.composeUnifiedHunks();
    std::ostringstream text;
    text << "--- " << golden_name << "\n+++ " << computed_name << "\n";
    diff.printUnifiedFormat(text);
    return text.str();
}

}  // namespace rmsnorm::report
