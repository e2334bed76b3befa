#include "evidence/default_text.hpp"

#include <algorithm>
#include <variant>

#include "numeric/decimal.hpp"

namespace rmsnorm::evidence {
namespace {

struct Shown {
    std::string operator()(bool value) const { return std::string(truth_text(value)); }
    std::string operator()(Decision value) const { return std::string(truth_text(value)); }
    std::string operator()(std::uint64_t value) const { return std::to_string(value); }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const Scalar& s) const {
        return scalar_text(s.value, quoted(s.value, s.decimals, extent));
    }
    std::string operator()(const TensorFigure& f) const {
        return vector_text(f.tensor, extent, f.decimals);
    }
    std::string operator()(const Record&) const { return ""; }
    std::string operator()(const Array& array) const {
        const std::size_t shown = shown_values(array.items.size(), extent);
        std::string text = "[";
        for (std::size_t i = 0; i < shown; ++i) {
            text += (i > 0 ? "," : "") + datum_text(array.items[i], extent);
        }
        if (shown < array.items.size()) {
            text += ",...(" + std::to_string(array.items.size()) + " values)";
        }
        return text + "]";
    }

    Extent extent;
};

bool holds_records(const Datum& datum) {
    if (std::holds_alternative<Record>(datum.value)) return true;
    const auto* array = std::get_if<Array>(&datum.value);
    return array != nullptr && !array->items.empty() && holds_records(array->items.front());
}

void add_lines(std::string& text, const std::string& name, const Datum& datum, Extent extent) {
    if (const auto* record = std::get_if<Record>(&datum.value)) {
        text += field_lines(name, *record, extent);
        for (const Field& inner : record->fields) {
            if (inner.presence == Presence::absent || !holds_records(inner.datum)) continue;
            add_lines(text, name + "_" + inner.key, inner.datum, extent);
        }
    } else if (const auto* array = std::get_if<Array>(&datum.value); holds_records(datum)) {
        for (const Datum& item : array->items) {
            text += record_line(name, std::get<Record>(item.value), extent);
        }
    } else {
        text += Lines().line(name).text(datum_text(datum, extent)).str();
    }
}

}  // namespace

std::string datum_text(const Datum& datum, Extent extent) {
    return std::visit(Shown{extent}, datum.value);
}

std::string record_line(std::string_view name, const Record& record, Extent extent) {
    Lines lines(extent);
    lines.line(name);
    for (const Field& f : record.fields) {
        if (f.presence == Presence::absent || holds_records(f.datum)) continue;
        lines.part(f.key, datum_text(f.datum, extent));
    }
    return lines.str();
}

std::string field_lines(std::string_view name, const Record& record, Extent extent) {
    Lines lines(extent);
    for (const Field& f : record.fields) {
        if (f.presence == Presence::absent || holds_records(f.datum)) continue;
        lines.line(std::string(name) + "_" + f.key).text(datum_text(f.datum, extent));
    }
    return lines.str();
}

const Datum& field(const Record& record, std::string_view key) {
    const auto found = std::find_if(record.fields.begin(), record.fields.end(),
                                    [&](const Field& f) { return f.key == key; });
    return found->datum;
}

const Record& record_field(const Record& record, std::string_view key) {
    return std::get<Record>(field(record, key).value);
}

const Array& array_field(const Record& record, std::string_view key) {
    return std::get<Array>(field(record, key).value);
}

std::string note(std::string_view text) { return Lines().line("note").text(text).str(); }

std::string note_lines(const std::vector<std::string>& notes) {
    std::string lines;
    for (const std::string& one : notes) lines += note(one);
    return lines;
}

std::string default_text(const Record& results, Extent extent) {
    std::string text;
    for (const Field& f : results.fields) {
        if (f.presence != Presence::absent) add_lines(text, f.key, f.datum, extent);
    }
    return text;
}

std::string text(const std::vector<Check>& checks) {
    Lines lines;
    for (const Check& check : checks) {
        lines.line("check")
            .part("name", check.name)
            .part("measure", numeric::shortest(check.measure))
            .part("bound", numeric::shortest(check.bound))
            .part("passed", truth_text(decision(check)))
            .part("statement", check.statement);
    }
    return lines.str();
}

}  // namespace rmsnorm::evidence
