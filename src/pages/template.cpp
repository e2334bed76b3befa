#include "pages/template.hpp"

#include <algorithm>

#include "pages/embedded.hpp"
#include "pages/error.hpp"

namespace rmsnorm::pages {
namespace {

class Parser {
  public:
    Parser(std::string_view name, std::string_view source) : name_(name), source_(source) {}

    std::vector<Node> all() {
        std::vector<Node> nodes;
        Node* const root = nullptr;
        part(nodes, root);
        return nodes;
    }

  private:
    // Fills `nodes` up to the end of `block`, or of the source where there is no block.
    void part(std::vector<Node>& first, Node* block) {
        std::vector<Node>* nodes = &first;
        while (at_ < source_.size()) {
            const std::size_t open = std::min(source_.find("{{", at_), source_.size());
            const std::size_t text_start = at_;
            if (open == source_.size()) {
                add_text(*nodes, text_start, open);
                break;
            }
            const std::size_t close = source_.find("}}", open);
            if (close == std::string_view::npos) fault(open, "a tag without }}");
            const std::string_view inner = source_.substr(open + 2, close - open - 2);
            std::size_t text_end = open;
            at_ = close + 2;
            if (!inner.empty() && (inner[0] == '#' || inner[0] == '/' || inner[0] == '!' ||
                                   inner == "else" || inner == "gap")) {
                take_line(text_start, text_end);
            }
            add_text(*nodes, text_start, text_end);
            if (!inner.empty() && inner[0] == '!') continue;
            Node node{source_.substr(open, close + 2 - open), words(inner, open), line(open)};
            const std::string& does = node.words.front().value;
            if (inner[0] == '/') {
                if (block == nullptr || does.substr(1) != name_of(*block)) {
                    fault(open, std::string(node.text) + " ends nothing");
                }
                return;
            }
            if (inner == "else" || inner == "gap") {
                if (block == nullptr) fault(open, std::string(node.text) + " outside of a block");
                nodes = inner == "gap" ? &block->gap : &block->otherwise;
                continue;
            }
            if (inner[0] == '#') part(node.body, &node);
            nodes->push_back(std::move(node));
        }
        if (block != nullptr) {
            throw PageError(std::string(name_) + ", line " + std::to_string(block->line) + ": " +
                            std::string(block->text) + " has no end");
        }
    }

    // {{#each rows}} ends at {{/each}}, {{#> card …}} at {{/card}}.
    static std::string name_of(const Node& block) {
        const std::string first = block.words[0].value.substr(1);
        return first == ">" && block.words.size() > 1 ? block.words[1].value : first;
    }

    static void add_text(std::vector<Node>& nodes, std::string_view text) {
        if (!text.empty()) nodes.push_back({text, {}});
    }

    void add_text(std::vector<Node>& nodes, std::size_t from, std::size_t to) const {
        add_text(nodes, source_.substr(from, to - from));
    }

    // Leaves out the rest of the line of a tag that has it to itself.
    void take_line(std::size_t text_start, std::size_t& text_end) {
        std::size_t start = text_end;
        while (start > text_start && source_[start - 1] == ' ') --start;
        const bool leads = start == 0 || source_[start - 1] == '\n';
        std::size_t end = at_;
        while (end < source_.size() && source_[end] == ' ') ++end;
        if (!leads || end >= source_.size() || source_[end] != '\n') return;
        text_end = start;
        at_ = end + 1;
    }

    std::vector<Word> words(std::string_view inner, std::size_t open) const {
        std::vector<Word> words;
        for (std::size_t i = 0; i < inner.size();) {
            if (inner[i] == ' ' || inner[i] == '\n') {
                ++i;
                continue;
            }
            Word word;
            const std::size_t stop = std::min(inner.find_first_of(" \n\"", i), inner.size());
            const std::size_t equals = std::min(inner.find('=', i), stop);
            if (equals < stop) word.key = inner.substr(i, equals - i);
            const std::size_t start = equals < stop ? equals + 1 : i;
            if (start < inner.size() && inner[start] == '"') {
                const std::size_t end = inner.find('"', start + 1);
                if (end == std::string_view::npos) fault(open, "a quote without end");
                word.value = inner.substr(start + 1, end - start - 1);
                i = end + 1;
            } else {
                const std::size_t end = std::min(inner.find_first_of(" \n", start), inner.size());
                word.value = inner.substr(start, end - start);
                i = end;
            }
            words.push_back(std::move(word));
        }
        if (words.empty()) fault(open, "an empty tag");
        return words;
    }

    std::size_t line(std::size_t at) const {
        return 1 + static_cast<std::size_t>(std::count(
                       source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }

    [[noreturn]] void fault(std::size_t at, const std::string& what) const {
        throw PageError(std::string(name_) + ", line " + std::to_string(line(at)) + ": " + what);
    }

    std::string_view name_;
    std::string_view source_;
    std::size_t at_ = 0;
};

const EmbeddedFile* find(std::string_view name) {
    for (const EmbeddedFile& file : embedded_templates()) {
        if (file.name == name) return &file;
    }
    return nullptr;
}

}  // namespace

std::vector<Node> parsed(std::string_view name, std::string_view source) {
    // A partial within a line would bring its file's last line end into it.
    if (!source.empty() && source.back() == '\n') source.remove_suffix(1);
    return Parser(name, source).all();
}

std::string_view template_source(std::string_view name) {
    const EmbeddedFile* file = find(name);
    if (file == nullptr) throw PageError("there is no template " + std::string(name));
    return file->bytes;
}

bool has_template(std::string_view name) { return find(name) != nullptr; }

}  // namespace rmsnorm::pages
