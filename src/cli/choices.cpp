#include "cli/choices.hpp"

#include "cli/error.hpp"
#include "judge/recipe.hpp"

namespace rmsnorm::cli {

std::vector<std::string> dtype_names() {
    std::vector<std::string> names;
    for (const auto format : numeric::number_formats) {
        names.emplace_back(numeric::dtype_name(format));
    }
    return names;
}

numeric::NumberFormat dtype_named(const std::string& origin, const std::string& name) {
    if (const auto format = numeric::format_named(name)) return *format;
    throw InputError(origin + ": found " + quoted(name) + "; accepted: " + listed(dtype_names()));
}

std::function<std::vector<std::string>()> choices_of(const evidence::Input& input) {
    if (input.key == "recipe") return judge::recipe_ids;
    if (input.key == "dtype") return dtype_names;
    return {};
}

}  // namespace rmsnorm::cli
