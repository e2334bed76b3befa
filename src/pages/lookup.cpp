#include "pages/lookup.hpp"

#include <algorithm>

#include "pages/error.hpp"
#include "pages/escape.hpp"
#include "report/figures.hpp"

namespace rmsnorm::pages {
namespace {

using evidence::Array;
using evidence::Datum;
using evidence::Record;
using evidence::Scalar;
using evidence::TensorFigure;

// The keys that the JSON of the document has at its root.
Record root_of(const report::Document& document) {
    if (document.kind == report::DocumentKind::fixture) return document.results;
    Record root;
    root.add("inputs", document.inputs);
    for (const evidence::Field& field : document.results.fields) root.fields.push_back(field);
    root.add("checks", evidence::array(document.checks));
    return root;
}

const Datum* field(const Record& record, const std::string& key) {
    for (const evidence::Field& candidate : record.fields) {
        if (candidate.key == key && candidate.presence != evidence::Presence::absent) {
            return &candidate.datum;
        }
    }
    return nullptr;
}

// The position that the word names among `size` items; `size` when it names none.
std::size_t position(const std::string& word, std::size_t size) {
    if (word == "last") return size == 0 ? 0 : size - 1;
    if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos) return size;
    std::size_t value = 0;
    for (const char digit : word) {
        value = value * 10 + static_cast<std::size_t>(digit - '0');
        if (value >= size) return size;
    }
    return value;
}

// A longer tensor is read with the decimals that its first values need.
constexpr std::size_t longest_column = 256;

[[noreturn]] void missing(const std::string& path) {
    throw PageError("the page asks for \"" + path + "\", which the evidence does not have");
}

template <typename Kind>
const Kind& kind(const Datum& datum, const std::string& path) {
    const auto* found = std::get_if<Kind>(&datum.value);
    if (found == nullptr) missing(path);
    return *found;
}

}  // namespace

FigureLookup::FigureLookup(const report::Document& document, std::string block)
    : root_(root_of(document)), block_(std::move(block)) {
    if (!document.certification) return;
    for (const evidence::CertifiedFigure& figure : document.certification->figures) {
        for (std::size_t i = 0; i < figure.certificates.size(); ++i) {
            worths_.emplace(figure.path_of(i), figure.certificates[i].worth);
        }
    }
}

std::string FigureLookup::worth_id(const std::string& block, const std::string& path) {
    return "worth-" + block + "-" + path;
}

std::string FigureLookup::mark(const std::string& path) const {
    const auto found = worths_.find(path);
    if (found == worths_.end()) return "";
    const bool certified = found->second == evidence::Worth::certified;
    return "<a class=\"worth\" href=\"#" + escaped(worth_id(block_, path)) + "\" aria-label=\"" +
           (certified ? "certified digits" : "digits that are not the exact ones") + "\">" +
           (certified ? "\xe2\x9c\x93" : "\xe2\x89\x88") + "</a>";
}

FigureLookup::Found FigureLookup::find(const std::string& path) const {
    Found found{&root_};
    for (std::size_t start = 0; start < path.size();) {
        const std::size_t end = std::min(path.find('/', start), path.size());
        std::string word = path.substr(start, end - start);
        if (found.element || end + 1 == path.size()) return {};
        const auto& value = found.datum->value;
        if (const auto* record = std::get_if<Record>(&value)) {
            found.datum = field(*record, word);
        } else if (const auto* array = std::get_if<Array>(&value)) {
            const std::size_t index = position(word, array->items.size());
            found.datum = index < array->items.size() ? &array->items[index] : nullptr;
            word = std::to_string(index);
        } else if (const auto* figures = std::get_if<TensorFigure>(&value)) {
            const std::size_t index = position(word, figures->tensor.size());
            if (index >= figures->tensor.size()) return {};
            found.element = index;
            word = std::to_string(index);
        } else {
            return {};
        }
        if (found.datum == nullptr) return {};
        found.path += (start == 0 ? "" : "/") + word;
        start = end + 1;
    }
    return found;
}

FigureLookup::Found FigureLookup::require(const std::string& path) const {
    Found found = find(path);
    if (found.datum == nullptr) missing(path);
    return found;
}

const Datum& FigureLookup::at(const std::string& path) const {
    const Found found = require(path);
    if (found.element) missing(path);
    return *found.datum;
}

bool FigureLookup::has(const std::string& path) const { return find(path).datum != nullptr; }

std::string FigureLookup::canonical(const std::string& path) const { return require(path).path; }

std::size_t FigureLookup::count(const std::string& path) const {
    const Datum& datum = at(path);
    if (const auto* array = std::get_if<Array>(&datum.value)) return array->items.size();
    if (const auto* record = std::get_if<Record>(&datum.value)) return record->fields.size();
    return tensor(path).size();
}

const tensor::Tensor& FigureLookup::tensor(const std::string& path) const {
    return kind<TensorFigure>(at(path), path).tensor;
}

bool FigureLookup::is_tensor(const std::string& path) const {
    const Found found = require(path);
    return !found.element && std::holds_alternative<TensorFigure>(found.datum->value);
}

double FigureLookup::value(const std::string& path) const {
    const Found found = require(path);
    if (found.element) return std::get<TensorFigure>(found.datum->value).tensor[*found.element];
    if (const auto* number = std::get_if<std::uint64_t>(&found.datum->value)) {
        return static_cast<double>(*number);
    }
    return kind<Scalar>(*found.datum, path).value;
}

bool FigureLookup::truth(const std::string& path) const {
    const Datum& datum = at(path);
    const auto* verdict = std::get_if<evidence::Decision>(&datum.value);
    return verdict != nullptr ? *verdict == evidence::Decision::holds : kind<bool>(datum, path);
}

std::string FigureLookup::words(const std::string& path) const {
    const Found found = require(path);
    const auto& value = found.datum->value;
    if (found.element) {
        const auto& figures = std::get<TensorFigure>(value);
        return report::scalar_text(figures.tensor[*found.element], figures.decimals);
    }
    if (const auto* scalar = std::get_if<Scalar>(&value)) {
        return report::scalar_text(scalar->value, scalar->decimals);
    }
    if (const auto* truth = std::get_if<bool>(&value))
        return std::string(report::truth_text(*truth));
    if (const auto* verdict = std::get_if<evidence::Decision>(&value)) {
        return std::string(report::truth_text(*verdict));
    }
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
    return kind<std::string>(*found.datum, path);
}

std::optional<Reading> FigureLookup::reading(const std::string& path) const {
    const Found found = require(path);
    const auto decimals = [&](double value, const evidence::Decimals& shown,
                              evidence::Precision precision) {
        return decimals_needed(value, report::scalar_text(value, shown), precision);
    };
    if (const auto* figures = std::get_if<TensorFigure>(&found.datum->value);
        found.element && figures) {
        // The values of a vector keep as many decimals as the longest of them needs.
        const auto values = figures->tensor.values();
        std::size_t most = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > longest_column) break;
            most = std::max(most, decimals(values[i], figures->decimals, figures->precision));
        }
        return pages::reading(values[*found.element], words(path), figures->precision, most);
    }
    if (const auto* scalar = std::get_if<Scalar>(&found.datum->value)) {
        return pages::reading(scalar->value, words(path), scalar->precision,
                              decimals(scalar->value, scalar->decimals, scalar->precision));
    }
    return {};
}

std::string FigureLookup::figure(const std::string& path) const {
    const std::string marked = mark(canonical(path));
    if (marked.empty()) return element(path);
    return "<span class=\"marked\">" + element(path) + marked + "</span>";
}

std::string FigureLookup::element(const std::string& path) const {
    const Found found = require(path);
    const std::string block = block_ == "evidence" ? "" : " data-block=\"" + block_ + "\"";
    const std::string place = block + " data-path=\"" + escaped(found.path) + "\">";
    const std::string digits = words(path);
    if (const auto read = reading(path)) {
        const std::string text = read->html();
        if (text == digits) return "<span class=\"n\"" + place + text + "</span>";
        return "<data class=\"n\" value=\"" + digits + "\"" + place + "<span>" + text +
               "</span></data>";
    }
    const bool text = std::holds_alternative<std::string>(found.datum->value);
    // A reader's words keep their own direction and do not turn that of their surroundings.
    const std::string tag = text ? "bdi" : "span";
    return "<" + tag + " class=\"" + (text ? "w" : "n") + "\"" + place + escaped(digits) + "</" +
           tag + ">";
}

std::vector<std::string> FigureLookup::column(const std::string& pattern) const {
    const std::size_t star = pattern.find("/*");
    if (star == std::string::npos) return {canonical(pattern)};
    const std::string rest = pattern.substr(star + 2);
    std::vector<std::string> paths;
    if (const auto* record = std::get_if<Record>(&at(pattern.substr(0, star)).value)) {
        for (const evidence::Field& one : record->fields) {
            if (one.presence == evidence::Presence::absent) continue;
            paths.push_back(pattern.substr(0, star + 1) + one.key + rest);
        }
        return paths;
    }
    for (std::size_t i = 0; i < count(pattern.substr(0, star)); ++i) {
        paths.push_back(pattern.substr(0, star + 1) + std::to_string(i) + rest);
    }
    return paths;
}

}  // namespace rmsnorm::pages
