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

/// Those of an experiment's input; empty where it is not one of a list.
std::function<std::vector<std::string>()> choices_of(const evidence::Input& input);

}  // namespace rmsnorm::cli
