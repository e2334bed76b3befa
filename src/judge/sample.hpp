// The rows that are looked at more closely than the pass over all of them does.
#pragma once

#include <cstddef>
#include <vector>

#include "judge/rows.hpp"

namespace rmsnorm::judge {

/// How many rows of the width are enough for a search, and of bounded size.
std::size_t sample_size(std::size_t width);

/// So many, evenly spread over all.
std::vector<std::size_t> sampled_rows(std::size_t rows, std::size_t width);

/// Those of the rows that can be read.
std::vector<std::size_t> readable(const Rows& rows, const std::vector<std::size_t>& indices);

/// Those of them with a result and a scale.
std::vector<Row> ordinary_rows(const Tensors& tensors, const Rows& rows,
                               const std::vector<std::size_t>& indices);

/// At most `most` of the sampled rows with a result and a scale.
std::vector<Row> ordinary_sample(const Tensors& tensors, std::size_t most = 64);

}  // namespace rmsnorm::judge
