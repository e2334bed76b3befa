#include "cli/choices.hpp"

#include "cli/error.hpp"
#include "cli/parse.hpp"
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
    refuse_choice(origin, name, dtype_names());
}

void refuse_choice(const std::string& origin, const std::string& word,
                   const std::vector<std::string>& choices) {
    const std::string near = nearest(word, choices);
    throw InputError(origin + ": found " + quoted(word) +
                     (near.empty() ? "" : ", did you mean " + near + "?") +
                     "; accepted: " + listed(choices));
}

void require_recipe(const std::string& id) {
    if (judge::find_recipe(id) == nullptr) refuse_choice("--recipe", id, judge::recipe_ids());
}

std::function<void(const std::string&)> check_of(const evidence::Input& input) {
    if (input.key == "recipe") return require_recipe;
    return {};
}

std::function<std::vector<std::string>()> choices_of(const evidence::Input& input) {
    if (input.key == "recipe") return judge::recipe_ids;
    if (input.key == "dtype") return dtype_names;
    return {};
}

}  // namespace rmsnorm::cli
