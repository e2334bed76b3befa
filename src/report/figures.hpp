// Figures as text, under the renderers' own names.
#pragma once

#include "evidence/figure_text.hpp"
#include "evidence/key_value_lines.hpp"

namespace rmsnorm::report {
using evidence::Extent;
using evidence::Lines;
using evidence::most_values;
using evidence::scalar_text;
using evidence::shape_text;
using evidence::shown_values;
using evidence::truth_text;
using evidence::vector_text;
}  // namespace rmsnorm::report
