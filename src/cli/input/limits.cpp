#include "cli/input/limits.hpp"

#include <utility>

#include "tensor/error.hpp"

namespace rmsnorm::cli {

std::string limit_hint(const Limits& limits) {
    return limits.adjustable ? " (--max-elements sets the limit)" : "";
}

std::string accepted_count(const Limits& limits) {
    return "at most " + std::to_string(limits.max_elements) + " values" + limit_hint(limits);
}

InputError too_many(std::string origin, std::string place, const Limits& limits) {
    return InputError({std::move(origin), std::move(place),
                       "more than " + std::to_string(limits.max_elements) + " values",
                       accepted_count(limits)});
}

std::optional<std::size_t> product_of_axes(tensor::Shape shape) {
    std::erase(shape, 0U);
    try {
        return tensor::element_count(shape);
    } catch (const tensor::TensorError&) {
        return std::nullopt;
    }
}

}  // namespace rmsnorm::cli
