#include "cli/values/values.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

std::string message(const Rejection& rejection) {
    std::string text = printable(rejection.origin) + ": ";
    if (!rejection.place.empty()) text += rejection.place + ": ";
    return text + "found " + rejection.found + "; accepted: " + rejection.accepted;
}

// Whether `token` has the form of a decimal number, whatever its magnitude: with every digit
// replaced by zero it reads as zero.
bool is_decimal(std::string_view token) {
    std::string zeros(token);
    std::replace_if(
        zeros.begin(), zeros.end(), [](char c) { return c >= '0' && c <= '9'; }, '0');
    return numeric::parse_decimal(zeros).has_value();
}

}  // namespace

ValuesError::ValuesError(Rejection rejection)
    : InputError(message(rejection)), rejection_(std::move(rejection)) {}

std::string shape_text(std::span<const std::size_t> shape) {
    std::string text = "[";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (axis > 0) text += ", ";
        text += std::to_string(shape[axis]);
    }
    return text + "]";
}

std::optional<std::size_t> element_count(std::span<const std::size_t> shape) {
    std::size_t product = 1;
    bool empty = false;
    for (const std::size_t axis : shape) {
        if (axis == 0) {
            empty = true;
            continue;
        }
        if (product > std::numeric_limits<std::size_t>::max() / axis) return std::nullopt;
        product *= axis;
    }
    return empty ? 0 : product;
}

void refuse_number(std::string_view origin, std::string place, std::string_view token) {
    const char* accepted = is_decimal(token) ? "a magnitude of at most 1.7976931348623157e308"
                                             : "a finite decimal number such as 1.5 or -2e-3";
    throw ValuesError({std::string(origin), std::move(place), quoted(token), accepted});
}

void refuse_count(std::string_view origin, std::string place, const Limits& limits) {
    const std::string most = std::to_string(limits.max_elements);
    throw ValuesError({std::string(origin), std::move(place), "more than " + most + " values",
                       "at most " + most + " values (--max-elements sets the limit)"});
}

void reshape(std::string_view origin, Values& values, std::span<const std::size_t> shape) {
    if (element_count(shape) != values.elements.size()) {
        throw ValuesError(
            {std::string(origin), "",
             std::to_string(values.elements.size()) + " values for the shape " + shape_text(shape),
             "a shape whose product is the number of values"});
    }
    values.shape.assign(shape.begin(), shape.end());
}

}  // namespace rmsnorm::cli
