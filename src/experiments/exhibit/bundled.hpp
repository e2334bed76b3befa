// The files of fixtures/exhibit-rmsnorm/ that the program carries with it, byte for byte.
#pragma once

#include <string_view>

namespace rmsnorm::experiments {

std::string_view model_py();
std::string_view run_py();
std::string_view requirements_txt();

}  // namespace rmsnorm::experiments
