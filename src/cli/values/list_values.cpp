#include "cli/values/list_values.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

struct Element {
    std::string_view text;  // without the spaces around it
    std::size_t index;      // from 0
    std::size_t column;     // from 1

    std::string place() const {
        return "element " + std::to_string(index + 1) + " (column " + std::to_string(column) + ")";
    }
};

// Calls `use` with each element between commas; an empty element is refused.
template <typename Use>
void each_element(std::string_view origin, std::string_view text, const char* example, Use use) {
    if (text.find_first_not_of(" \t") == std::string_view::npos) {
        throw ValuesError({std::string(origin), "", "an empty list",
                           std::string("at least one number, such as ") + example});
    }
    std::size_t start = 0;
    for (std::size_t index = 0;; ++index) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::string_view field = text.substr(start, end - start);
        const std::size_t first = std::min(field.find_first_not_of(" \t"), field.size());
        const std::size_t last = field.find_last_not_of(" \t");
        const Element element{
            first == field.size() ? std::string_view{} : field.substr(first, last + 1 - first),
            index, start + first + 1};
        if (element.text.empty()) {
            const bool trailing = end == text.size();
            throw ValuesError(
                {std::string(origin), element.place(),
                 trailing ? "nothing after the last comma" : "nothing before a comma",
                 std::string("numbers with one comma between them, such as ") + example});
        }
        use(element);
        if (end == text.size()) return;
        start = end + 1;
    }
}

}  // namespace

std::string without_brackets(std::string_view list) {
    std::string rest(list);
    const std::size_t first = rest.find_first_not_of(" \t");
    const std::size_t last = rest.find_last_not_of(" \t");
    if (first != std::string::npos && first != last && rest[first] == '[' && rest[last] == ']') {
        rest[first] = rest[last] = ' ';
    }
    return rest;
}

Values parse_list(std::string_view origin, std::string_view text, const Limits& limits) {
    Values values;
    each_element(origin, text, "3,4", [&](const Element& element) {
        if (element.index == limits.max_elements) refuse_count(origin, element.place(), limits);
        const std::optional<double> number = numeric::parse_decimal(element.text);
        if (!number) refuse_number(origin, element.place(), element.text);
        if (has_spare_zeros(element.text)) {
            refuse_spare_zeros(origin, element.place(), element.text);
        }
        values.elements.push_back(*number);
    });
    values.shape = {values.elements.size()};
    return values;
}

std::vector<std::size_t> parse_shape(std::string_view origin, std::string_view text) {
    std::vector<std::size_t> shape;
    each_element(origin, without_brackets(text), "2,8", [&](const Element& element) {
        const auto refuse = [&](std::string found, const char* accepted) {
            throw ValuesError({std::string(origin), element.place(), std::move(found), accepted});
        };
        std::size_t width = 0;
        const char* const end = element.text.data() + element.text.size();
        const auto read = std::from_chars(element.text.data(), end, width);
        if (read.ptr != end || read.ec != std::errc{} || width == 0) {
            refuse(quoted(element.text), "a whole number from 1, such as 8");
        }
        if (has_spare_zeros(element.text)) {
            refuse_spare_zeros(origin, element.place(), element.text);
        }
        if (shape.size() == max_rank) refuse("more than 64 axes", "at most 64 axes");
        shape.push_back(width);
        if (!element_count(shape)) {
            refuse("the shape " + shape_text(shape), "a shape whose product can be counted");
        }
    });
    return shape;
}

}  // namespace rmsnorm::cli
