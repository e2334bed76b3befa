#include "pages/filler.hpp"

#include <algorithm>
#include <optional>

#include "pages/error.hpp"
#include "pages/escape.hpp"
#include "pages/figure_tags.hpp"
#include "pages/scope.hpp"

namespace rmsnorm::pages {
namespace {

using evidence::Array;
using evidence::Field;
using evidence::Presence;
using evidence::Record;
using evidence::TensorFigure;
using Nodes = std::vector<Node>;

// How many values of a long vector stand before and after the gap.
constexpr std::size_t head_values = 6;
constexpr std::size_t tail_values = 2;

std::string shape_of(const tensor::Tensor& tensor) {
    std::string text;
    for (const std::size_t length : tensor.shape()) {
        text += (text.empty() ? "" : ", ") + std::to_string(length);
    }
    return "[" + text + "]";
}

// "1,0" for the second row's first value; the plain index in a vector.
std::string subscript(const tensor::Shape& shape, std::size_t flat) {
    std::string text;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        text = std::to_string(flat % shape[axis]) + (text.empty() ? "" : "," + text);
        flat /= shape[axis];
    }
    return text;
}

// Takes over the texts, which may be as long as a document; an initializer list would copy them.
Arguments two(const char* key, std::string text, const char* other_key, std::string other_text) {
    Arguments arguments;
    arguments.emplace(key, std::move(text));
    arguments.emplace(other_key, std::move(other_text));
    return arguments;
}

// A PageError that says where it arose.
class Located : public PageError {
    using PageError::PageError;
};

class Filler {
  public:
    Filler(const Content& content, Branches branches)
        : names_(content), branches_(branches), lists_(content.lists) {
        for (const Block& block : content.blocks) {
            lists_["blocks"].push_back(two("id", block.id, "json", script_json(block.json)));
        }
        if (!content.blocks.empty()) {
            const Block& first = content.blocks.front();
            lists_["downloads"].push_back(
                two("name", escaped(first.name), "bytes", base64(first.json)));
        }
    }

    std::string fill(const std::string& name, std::string_view source) {
        std::string out;
        in_template(name, parsed(name, source), names_.outermost(), out);
        return out;
    }

  private:
    void in_template(const std::string& name, const Nodes& nodes, const Scope& scope,
                     std::string& out) {
        if (++depth_ > 64) throw PageError(name + ": templates within templates without end");
        const std::string outer = std::exchange(template_, name);
        fill(nodes, scope, out);
        template_ = outer;
        --depth_;
    }

    void fill(const Nodes& nodes, const Scope& scope, std::string& out) {
        for (const Node& node : nodes) {
            if (node.words.empty()) {
                out += node.text;
                continue;
            }
            try {
                tag(node, scope, out);
            } catch (const Located&) {
                throw;
            } catch (const PageError& error) {
                throw Located(template_ + ", line " + std::to_string(node.line) + ": " +
                              std::string(node.text) + ": " + error.what());
            }
        }
    }

    void tag(const Node& node, const Scope& scope, std::string& out) {
        const std::string& name = node.words.front().value;
        if (name[0] == '#' || name == ">" || name == "list-item") return block(node, scope, out);
        if (scope.plot != nullptr &&
            scope.plot->take(names_.expanded(node.words, scope), [&](const std::string& pattern) {
                const Place place = names_.place(pattern, scope);
                return std::pair(place.lookup, place.lookup->column(place.path));
            })) {
            return;
        }
        if (name == "scale-ends") {
            if (scope.bars == nullptr) throw PageError("an axis outside of {{#scale}}");
            out += scale_ends(*scope.bars);
            return;
        }
        if (node.words.size() == 1) {
            const bool words = name[0] == '$' && name.find('/') == std::string::npos;
            out += words                ? names_.expanded(name, scope)
                   : name == "left-out" ? left_out(scope)
                                        : figure(names_.place(name, scope));
            return;
        }
        const Place place = names_.place(node, 1, scope);
        if (name == "figure") {
            out += figure(place);
        } else if (name == "text") {
            out += escaped(place.lookup->words(place.path));
        } else if (name == "count") {
            out += std::to_string(place.lookup->count(place.path));
        } else if (name == "shape") {
            out += shape_of(place.lookup->tensor(place.path));
        } else if (name == "aligned") {
            out += aligned(place, scope);
        } else if (name == "bar") {
            if (scope.bars == nullptr) throw PageError("a bar outside of {{#scale}}");
            const Arguments options = names_.keyed(node, scope);
            const auto ghost = options.find("ghost");
            std::optional<double> mark;
            if (ghost != options.end()) {
                const Place other = names_.place(ghost->second, scope);
                mark = other.lookup->value(other.path);
            }
            out += bar(place.lookup->value(place.path), *scope.bars, mark);
        } else if (name == "strip") {
            out += strip_of(place);
        } else {
            throw PageError("there is no such tag");
        }
    }

    void block(const Node& node, const Scope& scope, std::string& out) {
        const std::string& name = node.words.front().value;
        if (name == ">" || name == "#>") return call(node, scope, out);
        if (name == "#each") return each(node, scope, out);
        if (name == "#list") return list(node, scope, out);
        if (name == "list-item") {
            lists_[names_.word(node, 1, scope)].push_back(names_.keyed(node, scope));
            return;
        }
        Scope inner = scope;
        if (name == "#with") {
            const Place place = names_.place(node, 1, scope);
            inner.lookup = place.lookup;
            inner.path = place.lookup->canonical(place.path);
            return fill(node.body, inner, out);
        }
        if (name == "#scale") {
            const BarScale bars = scale_of(names_.columns(node, 1, scope));
            inner.bars = &bars;
            return fill(node.body, inner, out);
        }
        if (name == "#plot") {
            PlotTags tags;
            inner.plot = &tags;
            std::string words;
            fill(node.body, inner, words);
            out += svg(tags.plot(), words);
            return;
        }
        const bool holds = condition(name.substr(1), node, scope);
        // What is not there, or of another kind, cannot be filled.
        const bool both = name == "#if" || name == "#is" || name == "#some" || name == "#many";
        if (branches_ == Branches::all && both) {
            std::string thrown_away;
            fill(holds ? node.otherwise : node.body, scope, thrown_away);
        }
        fill(holds ? node.body : node.otherwise, scope, out);
    }

    bool condition(const std::string& name, const Node& node, const Scope& scope) const {
        if (name == "later") return scope.index > 0;
        if (name == "given") return names_.argument(names_.word(node, 1, scope), scope).has_value();
        if (name == "template") return has_template(names_.word(node, 1, scope));
        if (name == "has") {
            for (std::size_t i = 1; i < node.words.size(); ++i) {
                const Place place = names_.place(node, i, scope);
                if (!place.lookup->has(place.path)) return false;
            }
            return true;
        }
        const Place place = names_.place(node, 1, scope);
        if (name == "if") return place.lookup->truth(place.path);
        if (name == "is") return place.lookup->words(place.path) == names_.word(node, 2, scope);
        if (name == "some") return place.lookup->count(place.path) > 0;
        if (name == "many") return place.lookup->count(place.path) > 1;
        if (name != "kind") throw PageError("there is no such tag");
        const std::string kind = names_.word(node, 2, scope);
        const auto& value = place.datum().value;
        if (kind == "tensor") return std::holds_alternative<TensorFigure>(value);
        if (kind == "record") return std::holds_alternative<Record>(value);
        if (kind == "array") return std::holds_alternative<Array>(value);
        if (kind == "plain") {
            return !std::holds_alternative<TensorFigure>(value) &&
                   !std::holds_alternative<Record>(value) && !std::holds_alternative<Array>(value);
        }
        throw PageError("there is no kind " + kind);
    }

    static std::string figure(const Place& place) { return place.lookup->figure(place.path); }

    static std::string left_out(const Scope& scope) {
        return std::to_string(scope.left_out) + " more of " + std::to_string(scope.total);
    }

    // A figure of the loop's items, after what puts the points of all of them under each other.
    std::string aligned(const Place& place, const Scope& scope) {
        if (place.path.rfind(scope.path, 0) != 0) {
            throw PageError("an aligned figure is one of the loop's item");
        }
        const std::string loop = scope.path.substr(0, scope.path.rfind('/') + 1);
        const std::string column = loop + "*" + place.path.substr(scope.path.size());
        return columns_.before(place, column) + figure(place);
    }

    void list(const Node& node, const Scope& scope, std::string& out) {
        const auto found = lists_.find(names_.word(node, 1, scope));
        if (found == lists_.end()) return fill(node.otherwise, scope, out);
        for (const Arguments& item : found->second) {
            Scope inner = scope;
            inner.arguments = &item;
            fill(node.body, inner, out);
        }
    }

    void each(const Node& node, const Scope& scope, std::string& out) {
        const Place named = names_.place(node, 1, scope);
        const Place place{named.lookup, named.lookup->canonical(named.path)};
        const auto& value = place.datum().value;
        if (std::holds_alternative<TensorFigure>(value))
            return each_of_tensor(node, place, scope, out);
        const std::string base = place.path + (place.path.empty() ? "" : "/");
        Scope inner = scope;
        inner.lookup = place.lookup;
        inner.index = 0;
        if (const auto* array = std::get_if<Array>(&value)) {
            for (; inner.index < array->items.size(); ++inner.index) {
                inner.path = base + std::to_string(inner.index);
                fill(node.body, inner, out);
            }
        } else if (const auto* record = std::get_if<Record>(&value)) {
            const Arguments options = names_.keyed(node, scope);
            const auto except = options.find("except");
            const std::string aside = except == options.end() ? "" : " " + except->second + " ";
            for (const Field& field : record->fields) {
                if (field.presence == Presence::absent) continue;
                if (aside.find(" " + field.key + " ") != std::string::npos) continue;
                inner.path = base + field.key;
                inner.key = field.key;
                fill(node.body, inner, out);
                ++inner.index;
            }
        } else {
            throw PageError("no list, no record and no vector");
        }
        if (inner.index == 0) fill(node.otherwise, scope, out);
    }

    // The values of a tensor or of a row of it, or its rows.
    void each_of_tensor(const Node& node, const Place& place, const Scope& scope,
                        std::string& out) {
        const tensor::Tensor& tensor = place.lookup->tensor(place.path);
        const std::size_t width = tensor.rank() == 0 ? 1 : tensor.shape().back();
        const std::string by = node.words.size() > 2 ? names_.word(node, 2, scope) : "";
        const bool rows = by == "rows";
        Window window{0, tensor.size()};
        if (rows) window.count = width == 0 ? 0 : tensor.size() / width;
        const bool of_row = by == "row" || (scope.window && place.path == scope.path && !rows);
        if (of_row) window = by == "row" ? Window{scope.row * width, width} : *scope.window;
        if (window.count == 0) fill(node.otherwise, scope, out);
        for (std::size_t i = 0; i < window.count; ++i) {
            Scope inner = scope;
            inner.lookup = place.lookup;
            if (window.count > longest_vector && i == head_values) {
                inner.total = window.count;
                inner.left_out = window.count - head_values - tail_values;
                inner.index = i;
                fill(node.gap, inner, out);
                i = window.count - tail_values;
            }
            inner.index = i;
            const std::size_t flat = window.start + i;
            inner.window.reset();
            if (rows) {
                inner.path = place.path;
                inner.row = i;
                inner.window = Window{i * width, width};
            } else {
                inner.path = place.path + "/" + std::to_string(flat);
                inner.key = of_row ? std::to_string(i) : subscript(tensor.shape(), flat);
            }
            fill(node.body, inner, out);
        }
    }

    // {{> name path key=words}}, with what a block holds as its $body.
    void call(const Node& node, const Scope& scope, std::string& out) {
        Arguments arguments = names_.keyed(node, scope);
        if (node.words.front().value == "#>") fill(node.body, scope, arguments["body"]);
        const std::string word = names_.word(node, 1, scope);
        const std::string name = has_template(word + ".html") ? word + ".html" : word;
        Scope inner = scope;
        inner.arguments = &arguments;
        if (node.words.size() > 2 && node.words[2].key.empty()) {
            const Place place = names_.place(node, 2, scope);
            inner.lookup = place.lookup;
            inner.path = place.lookup->canonical(place.path);
        }
        auto found = templates_.find(name);
        if (found == templates_.end()) {
            found = templates_.emplace(name, parsed(name, template_source(name))).first;
        }
        in_template(name, found->second, inner, out);
    }

    Names names_;
    Branches branches_;
    std::map<std::string, std::vector<Arguments>, std::less<>> lists_;
    std::map<std::string, Nodes> templates_;
    AlignedColumns columns_;
    std::string template_;
    int depth_ = 0;
};

}  // namespace

std::string filled(const std::string& template_name, const Content& content, Branches branches) {
    return filled_text(template_source(template_name), content, branches, template_name);
}

std::string filled_text(std::string_view source, const Content& content, Branches branches,
                        const std::string& name) {
    return Filler(content, branches).fill(name, source);
}

}  // namespace rmsnorm::pages
