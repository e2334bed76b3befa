#include "report/html/view.hpp"

#include <optional>
#include <stdexcept>

#include "report/figures.hpp"
#include "report/html/escape.hpp"

namespace rmsnorm::report::html {
namespace {

using evidence::Array;
using evidence::Datum;
using evidence::Figures;
using evidence::Record;
using evidence::Scalar;

// The keys that the JSON of the document has at its root.
Record root_of(const Document& document) {
    if (document.kind == DocumentKind::fixture) return document.results;
    Record root;
    root.add("inputs", document.inputs);
    for (const evidence::Field& field : document.results.fields) root.fields.push_back(field);
    root.add("checks", evidence::array(document.checks));
    return root;
}

// A place is a datum, or one element of a tensor.
struct Found {
    const Datum* datum = nullptr;
    std::optional<std::size_t> element;
};

std::optional<std::size_t> position(const std::string& word) {
    if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos) return {};
    std::size_t value = 0;
    for (const char digit : word) value = value * 10 + static_cast<std::size_t>(digit - '0');
    return value;
}

const Datum* field(const Record& record, const std::string& key) {
    for (const evidence::Field& candidate : record.fields) {
        if (candidate.key == key && candidate.presence != evidence::Presence::absent) {
            return &candidate.datum;
        }
    }
    return nullptr;
}

Found step(const Datum& datum, const std::string& word) {
    if (const auto* record = std::get_if<Record>(&datum.value)) {
        return {field(*record, word), {}};
    }
    const auto index = position(word);
    if (!index) return {};
    if (const auto* array = std::get_if<Array>(&datum.value)) {
        return {*index < array->items.size() ? &array->items[*index] : nullptr, {}};
    }
    if (const auto* figures = std::get_if<Figures>(&datum.value)) {
        if (*index < figures->tensor.size()) return {&datum, index};
    }
    return {};
}

Found find(const Record& root, const std::string& path) {
    Found found;
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t end = std::min(path.find('/', start), path.size());
        const std::string word = path.substr(start, end - start);
        if (found.element) return {};
        found = start == 0 ? Found{field(root, word), {}} : step(*found.datum, word);
        if (found.datum == nullptr) return {};
        start = end + 1;
    }
    return found;
}

[[noreturn]] void missing(const std::string& path) {
    throw std::out_of_range("the page asks for \"" + path + "\", which the evidence does not have");
}

Found found_or_missing(const Record& root, const std::string& path) {
    const Found found = find(root, path);
    if (found.datum == nullptr) missing(path);
    return found;
}

}  // namespace

View::View(const Document& document, std::string block)
    : document_(document), root_(root_of(document)), block_(std::move(block)) {}

const Datum& View::at(const std::string& path) const {
    const Found found = found_or_missing(root_, path);
    if (found.element) missing(path);
    return *found.datum;
}

bool View::has(const std::string& path) const { return find(root_, path).datum != nullptr; }

std::size_t View::count(const std::string& path) const {
    const Datum& datum = at(path);
    if (const auto* array = std::get_if<Array>(&datum.value)) return array->items.size();
    return tensor(path).size();
}

const tensor::Tensor& View::tensor(const std::string& path) const {
    const auto* figures = std::get_if<Figures>(&at(path).value);
    if (figures == nullptr) missing(path);
    return figures->tensor;
}

double View::value(const std::string& path) const {
    const Found found = found_or_missing(root_, path);
    if (found.element) return std::get<Figures>(found.datum->value).tensor[*found.element];
    if (const auto* number = std::get_if<std::uint64_t>(&found.datum->value)) {
        return static_cast<double>(*number);
    }
    const auto* scalar = std::get_if<Scalar>(&found.datum->value);
    if (scalar == nullptr) missing(path);
    return scalar->value;
}

bool View::truth(const std::string& path) const {
    const bool* verdict = std::get_if<bool>(&at(path).value);
    if (verdict == nullptr) missing(path);
    return *verdict;
}

std::string View::words(const std::string& path) const {
    const Found found = found_or_missing(root_, path);
    if (found.element) {
        const auto& figures = std::get<Figures>(found.datum->value);
        return scalar_text(figures.tensor[*found.element], figures.decimals);
    }
    const auto& value = found.datum->value;
    if (const auto* scalar = std::get_if<Scalar>(&value)) {
        return scalar_text(scalar->value, scalar->decimals);
    }
    if (const auto* verdict = std::get_if<bool>(&value)) return std::string(truth_text(*verdict));
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    missing(path);
}

std::string View::figure(const std::string& path) const {
    const Found found = found_or_missing(root_, path);
    const bool text = !found.element && std::holds_alternative<std::string>(found.datum->value);
    // A reader's words keep their own direction and do not turn that of their surroundings.
    const std::string tag = text ? "bdi" : "span";
    const std::string block = block_ == "evidence" ? "" : " data-block=\"" + block_ + "\"";
    return "<" + tag + " class=\"" + (text ? "w" : "n") + "\"" + block + " data-path=\"" +
           escaped(path) + "\">" + escaped(words(path)) + "</" + tag + ">";
}

}  // namespace rmsnorm::report::html
