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
    std::string accepted = "a finite decimal number such as 1.5 or -2e-3";
    const bool ascii = std::all_of(token.begin(), token.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!ascii) accepted += ", all of it ASCII (the minus sign is the hyphen)";
    if (is_decimal(token)) accepted = "a magnitude of at most 1.7976931348623157e308";
    throw ValuesError({std::string(origin), std::move(place), quoted(token), std::move(accepted)});
}

bool has_spare_zeros(std::string_view token) {
    if (token.starts_with('-') || token.starts_with('+')) token.remove_prefix(1);
    return token.size() > 1 && token[0] == '0' && token[1] >= '0' && token[1] <= '9';
}

void refuse_spare_zeros(std::string_view origin, std::string place, std::string_view token) {
    throw ValuesError(
        {std::string(origin), std::move(place), quoted(token),
         "numbers without zeros in front of them; a comma ends a number and separates "
         "no thousands, so that a thousand is 1000"});
}

void refuse_count(std::string_view origin, std::string place, const Limits& limits) {
    throw ValuesError({std::string(origin), std::move(place),
                       "more than " + std::to_string(limits.max_elements) + " values",
                       accepted_count(limits)});
}

std::string accepted_count(const Limits& limits) {
    return "at most " + std::to_string(limits.max_elements) + " values" + limit_hint(limits);
}

std::string limit_hint(const Limits& limits) {
    return limits.adjustable ? " (--max-elements sets the limit)" : "";
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
