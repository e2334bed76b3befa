// The words that a value may be, where another floor has the list.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "evidence/input.hpp"
#include "numeric/number_format.hpp"

namespace rmsnorm::cli {

/// Of every number format: f64, f32, f16, bf16.
std::vector<std::string> dtype_names();

/// The format of that name. Throws InputError, in which `origin` says where the name stands.
numeric::NumberFormat dtype_named(const std::string& origin, const std::string& name);

/// Throws the InputError of a word that is none of the choices, and names the nearest of them.
[[noreturn]] void refuse_choice(const std::string& origin, const std::string& word,
                                const std::vector<std::string>& choices);

/// Throws InputError, of --recipe, for what is no id of a recipe.
void require_recipe(const std::string& id);

/// That of an experiment's input; empty where it takes other words than a list's.
std::function<void(const std::string&)> check_of(const evidence::Input& input);

/// Those of an experiment's input; empty where it is not one of a list.
std::function<std::vector<std::string>()> choices_of(const evidence::Input& input);

}  // namespace rmsnorm::cli
