// Words in a row.
#pragma once

#include <string>
#include <string_view>

namespace rmsnorm::evidence {

/// The words with the separator between two.
template <class Words>
std::string listed(const Words& words, std::string_view separator = ", ") {
    std::string text;
    for (const auto& word : words) text.append(text.empty() ? "" : separator).append(word);
    return text;
}

}  // namespace rmsnorm::evidence
