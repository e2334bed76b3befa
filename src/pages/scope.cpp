#include "pages/scope.hpp"

#include <algorithm>

#include "pages/error.hpp"
#include "pages/escape.hpp"

namespace rmsnorm::pages {

Names::Names(const Content& content) : arguments_(content.arguments) {
    for (const auto& [block, document] : content.documents) lookups_.emplace_back(document, block);
}

Scope Names::outermost() const {
    Scope scope;
    scope.lookup = lookups_.empty() ? nullptr : &lookups_.front();
    return scope;
}

std::optional<std::string> Names::argument(std::string_view name, const Scope& scope) const {
    if (name == "index") return std::to_string(scope.index);
    if (name == "number") return std::to_string(scope.index + 1);
    if (name == "key") return escaped(scope.key);
    for (const Arguments* all : {scope.arguments, &arguments_}) {
        if (all == nullptr) continue;
        const auto found = all->find(name);
        if (found != all->end()) return found->second;
    }
    return {};
}

std::string Names::expanded(const std::string& word, const Scope& scope) const {
    constexpr auto letters = "abcdefghijklmnopqrstuvwxyz-";
    std::string text;
    for (std::size_t i = 0; i < word.size();) {
        if (word[i] != '$') {
            text += word[i++];
            continue;
        }
        const std::size_t end = std::min(word.find_first_not_of(letters, i + 1), word.size());
        const std::string name = word.substr(i + 1, end - i - 1);
        const auto value = argument(name, scope);
        if (!value) throw PageError("there is no argument $" + name);
        text += *value;
        i = end;
    }
    return text;
}

std::vector<Word> Names::expanded(std::vector<Word> words, const Scope& scope) const {
    for (Word& word : words) word.value = expanded(word.value, scope);
    return words;
}

Arguments Names::keyed(const Node& node, const Scope& scope) const {
    Arguments all;
    for (const Word& word : node.words) {
        if (!word.key.empty()) all[word.key] = expanded(word.value, scope);
    }
    return all;
}

std::string Names::word(const Node& node, std::size_t position, const Scope& scope) const {
    if (node.words.size() <= position) throw PageError("a word is missing");
    return expanded(node.words[position].value, scope);
}

Place Names::place(const Node& node, std::size_t position, const Scope& scope) const {
    const bool named = node.words.size() > position && node.words[position].key.empty();
    return place(named ? node.words[position].value : ".", scope);
}

Place Names::place(const std::string& word, const Scope& scope) const {
    std::string path = expanded(word, scope);
    const FigureLookup* lookup = scope.lookup;
    std::string base = scope.path;
    const bool above = path.rfind("../", 0) == 0;
    for (; path.rfind("../", 0) == 0; path.erase(0, 3)) {
        base.resize(base.find('/') == std::string::npos ? 0 : base.rfind('/'));
    }
    if (path == ".") {
        path = base;
    } else if (above || path.rfind("./", 0) == 0) {
        path = base + (base.empty() ? "" : "/") + path.substr(above ? 0 : 2);
    } else if (path.rfind('@', 0) == 0) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string block = path.substr(1, end - 1) + "-evidence";
        const auto found = std::find_if(lookups_.begin(), lookups_.end(),
                                        [&](const auto& one) { return one.block() == block; });
        if (found == lookups_.end()) throw PageError("there is no document " + block);
        lookup = &*found;
        path.erase(0, end + 1);
    }
    if (lookup == nullptr) throw PageError("this page shows no document");
    return {lookup, path};
}

std::vector<Place> Names::columns(const Node& node, std::size_t first, const Scope& scope) const {
    std::vector<Place> all;
    for (std::size_t i = first; i < node.words.size(); ++i) {
        const Place named = place(node, i, scope);
        for (std::string& path : named.lookup->column(named.path)) {
            all.push_back({named.lookup, std::move(path)});
        }
    }
    return all;
}

}  // namespace rmsnorm::pages
