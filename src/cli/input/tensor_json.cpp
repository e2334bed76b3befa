#include "cli/input/tensor_json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "evidence/number_text.hpp"
#include "numeric/bits.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t unset = std::numeric_limits<std::size_t>::max();

// An array of numbers as it grows.
struct Nested {
    const Limits& limits;
    std::vector<double> elements;
    tensor::Shape shape;   // as far as arrays have closed
    std::size_t rank = 0;  // the depth of the numbers; 0 before the first
};

void collect(const JsonNode& array, std::size_t depth, Nested& nested) {
    if (depth == max_rank) {
        throw array.refusal("arrays nested more than 64 deep", "arrays nested at most 64 deep");
    }
    const auto refuse = [](const JsonNode& item, const char* found) {
        throw item.refusal(found, "arrays of one shape at each depth");
    };
    std::size_t count = 0;
    const std::optional<JsonNode> first = array.first();
    if (!first) {
        if (!nested.limits.empty_allowed) {
            throw array.refusal("an empty array", "at least one number in each array");
        }
        if (nested.rank == 0) nested.rank = depth + 1;
    }
    for (auto item = first; item; item = item->next(), ++count) {
        if (item->is(JsonKind::array)) {
            if (nested.rank == depth + 1) refuse(*item, "an array where the others have a number");
            collect(*item, depth + 1, nested);
            continue;
        }
        if (!item->is(JsonKind::number)) {
            throw item->refusal("a finite decimal number such as 1.5 or -2e-3");
        }
        if (nested.rank == 0) nested.rank = depth + 1;
        if (nested.rank != depth + 1) refuse(*item, "a number where the others have an array");
        if (nested.elements.size() == nested.limits.max_elements) {
            throw item->refusal(
                "more than " + std::to_string(nested.limits.max_elements) + " values",
                accepted_count(nested.limits));
        }
        nested.elements.push_back(item->number());
    }
    if (nested.shape.size() <= depth) nested.shape.resize(nested.rank, unset);
    std::size_t& width = nested.shape[depth];
    if (width == unset) width = count;
    if (width != count) {
        throw array.refusal(
            "an array of " + std::to_string(count) + (count == 1 ? " member" : " members"),
            std::to_string(width) + " as in the arrays before it");
    }
}

tensor::Tensor nested_tensor(const JsonNode& node, const Limits& limits) {
    if (!node.is(JsonKind::array)) throw node.refusal("an array of numbers such as [1.5, -2e-3]");
    Nested nested{limits, {}, {}, 0};
    collect(node, 0, nested);
    return tensor::Tensor(std::move(nested.shape), std::move(nested.elements));
}

// The values in the shape when they are flat, or when it is theirs.
tensor::Tensor shaped(const JsonNode& node, tensor::Tensor values, const tensor::Shape& shape) {
    if (values.shape() == shape) return values;
    const bool flat = values.rank() == 1;
    if (!flat || tensor::element_count(shape) != values.size()) {
        throw node.refusal(flat ? evidence::counted(values.size(), "value")
                                : "an array of shape " + tensor::to_text(values.shape()),
                           "values for the shape " + tensor::to_text(shape));
    }
    const auto elements = values.values();
    return tensor::Tensor(shape, {elements.begin(), elements.end()});
}

// The number whose bits are given, which is `value`: 16 digits are binary64, 8 are binary32, in
// which case `value` need only be nearest to it.
double checked_by_bits(const JsonNode& bits, double value) {
    constexpr const char* accepted = "16 hexadecimal digits of a binary64 number, or 8 of binary32";
    if (!bits.is(JsonKind::text)) throw bits.refusal(accepted);
    const std::string_view digits = bits.text();
    std::uint64_t pattern = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), pattern, 16);
    const bool whole = read.ec == std::errc{} && read.ptr == digits.data() + digits.size();
    if (!whole || (digits.size() != 16 && digits.size() != 8)) throw bits.refusal(accepted);
    const bool narrow = digits.size() == 8;
    const double exact = narrow ? numeric::binary32(static_cast<std::uint32_t>(pattern))
                                : numeric::binary64(pattern);
    const bool agree =
        narrow ? numeric::same_bits(static_cast<float>(value), static_cast<float>(exact))
               : numeric::same_bits(value, exact);
    if (agree && std::isfinite(exact)) return exact;
    throw bits.refusal(
        "the bits " + std::string(digits) + " (" + numeric::shortest(exact) + ") of the value " +
            numeric::shortest(value),
        "bits that are the value's own: " +
            (narrow ? numeric::hex(static_cast<float>(value)) : numeric::hex(value)));
}

tensor::Tensor tensor_of_object(const JsonNode& node, const Limits& limits) {
    require_known_keys(
        node, {"shape", "values", "display", "bits", "truncated", "error_ulp", "certified"});
    const auto values_node = node.find("values");
    const auto shape_node = node.find("shape");
    if (!values_node) throw node.refusal("an object without \"values\"", accepted_tensor);
    if (!shape_node) throw node.refusal("an object without \"shape\"", accepted_tensor);
    const auto truncated = node.find("truncated");
    if (truncated && truncated->is(JsonKind::boolean) && truncated->truth()) {
        throw node.refusal("a tensor of which only the first values were written",
                           "a whole tensor, as --full writes it");
    }
    const tensor::Shape shape = shape_of(*shape_node);
    tensor::Tensor result = shaped(*values_node, nested_tensor(*values_node, limits), shape);
    if (const auto bits = node.find("bits")) {
        std::optional<JsonNode> item;
        if (bits->is(JsonKind::array)) item = bits->first();
        std::size_t count = 0;
        for (; item && count < result.size(); item = item->next(), ++count) {
            result[count] = checked_by_bits(*item, result[count]);
        }
        if (item || count < result.size()) {
            throw bits->refusal(item ? "more bits than values" : "fewer bits than values",
                                "the bits of each value");
        }
    }
    return result;
}

}  // namespace

tensor::Tensor tensor_of(const JsonNode& node, const Limits& limits) {
    return node.is(JsonKind::object) ? tensor_of_object(node, limits) : nested_tensor(node, limits);
}

tensor::Tensor tensor_of(const JsonNode& node, const Limits& limits, const tensor::Shape& shape) {
    return shaped(node, tensor_of(node, limits), shape);
}

double number_of(const JsonNode& node) {
    if (!node.is(JsonKind::object)) {
        if (!node.is(JsonKind::number)) {
            throw node.refusal("a finite decimal number such as 1.5 or -2e-3");
        }
        return node.number();
    }
    require_known_keys(node, {"value", "display", "bits", "error_ulp", "certified"});
    const auto value = node.find("value");
    if (!value) throw node.refusal("an object without \"value\"", "a number, or {\"value\": 0.5}");
    const double number = number_of(*value);
    const auto bits = node.find("bits");
    return bits ? checked_by_bits(*bits, number) : number;
}

std::uint64_t whole_of(const JsonNode& node, std::uint64_t least, std::uint64_t most) {
    const auto number = node.is(JsonKind::number) ? node.whole() : std::nullopt;
    if (number && *number >= least && *number <= most) return *number;
    throw node.refusal("a whole number from " + std::to_string(least) + " to " +
                       std::to_string(most));
}

std::string text_of(const JsonNode& node) {
    if (!node.is(JsonKind::text)) throw node.refusal("a string");
    return std::string(node.text());
}

tensor::Shape shape_of(const JsonNode& node) {
    if (!node.is(JsonKind::array)) throw node.refusal("an array of whole numbers such as [2, 2]");
    tensor::Shape shape;
    for (auto axis = node.first(); axis; axis = axis->next()) {
        if (shape.size() == max_rank) throw axis->refusal("more than 64 axes", "at most 64 axes");
        const auto width = axis->is(JsonKind::number) ? axis->whole() : std::nullopt;
        if (!width || *width > std::numeric_limits<std::size_t>::max()) {
            throw axis->refusal("a whole number such as 8");
        }
        shape.push_back(static_cast<std::size_t>(*width));
    }
    if (!product_of_axes(shape)) {
        throw node.refusal("the shape " + tensor::to_text(shape),
                           "a shape whose product can be counted");
    }
    return shape;
}

JsonNode required_member(const JsonNode& node, std::string_view key, const std::string& accepted) {
    const auto found = node.is(JsonKind::object) ? node.find(key) : std::nullopt;
    if (!found) throw node.refusal(accepted);
    return *found;
}

void require_known_keys(const JsonNode& object, const std::vector<std::string_view>& known) {
    for (const JsonMember& member : object.members()) {
        if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
        std::string accepted;
        for (const std::string_view key : known) {
            accepted.append(accepted.empty() ? "the keys " : ", ").append(quoted(key));
        }
        throw member.value.refusal("the unknown key " + quoted(member.key), accepted);
    }
}

}  // namespace rmsnorm::cli
