// Sets of rows and columns in words.
#include <algorithm>
#include <string>

#include "judge/verdict.hpp"

namespace rmsnorm::judge {

std::string index_set(const std::vector<std::size_t>& indices, std::size_t count) {
    if (indices.empty()) return "none";
    if (indices.size() == count) return "all";
    const std::size_t first = indices.front();
    if (indices.size() == 1) return std::to_string(first);
    const std::size_t step = indices[1] - first;
    bool even = true;
    for (std::size_t i = 1; i < indices.size(); ++i)
        even = even && indices[i] - indices[i - 1] == step;
    if (even && step == 1) {
        return std::to_string(first) + ":" + std::to_string(indices.back() + 1);
    }
    if (even && indices.size() > 2 && first < step && indices.back() + step >= count) {
        return std::to_string(first) + "::" + std::to_string(step);
    }
    std::string list;
    constexpr std::size_t shown = 16;
    for (std::size_t i = 0; i < std::min(indices.size(), shown); ++i) {
        list += (i == 0 ? "" : ",") + std::to_string(indices[i]);
    }
    return indices.size() > shown ? list + ",..." : list;
}

std::string set_in_words(const std::string& thing, const std::string& set) {
    if (set == "all") return "all " + thing + "s";
    const bool one = set.find_first_not_of("0123456789") == std::string::npos;
    return thing + (one ? " " : "s ") + set;
}

}  // namespace rmsnorm::judge
