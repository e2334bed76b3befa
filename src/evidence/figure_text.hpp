// Figures as text: what the reports print, and `display` in JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evidence/record.hpp"

namespace rmsnorm::evidence {

/// How much of a long tensor is shown: its first values, or all.
enum class Extent { abridged, full };

/// A tensor with more values than this is abridged to as many.
inline constexpr std::size_t most_values = 64;

/// How many values of a tensor of `size` are shown.
std::size_t shown_values(std::size_t size, Extent extent);

std::string scalar_text(double value, Decimals decimals = {});

/// "[3.000000,4.000000]"; an abridged one ends in ",...(100 values)]".
std::string vector_text(const tensor::Tensor& tensor, Extent extent = Extent::full,
                        Decimals decimals = {});

/// "[2,2]".
std::string shape_text(const tensor::Shape& shape);

/// "true" or "false".
std::string_view truth_text(bool truth);

}  // namespace rmsnorm::evidence
