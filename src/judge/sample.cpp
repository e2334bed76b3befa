#include "judge/sample.hpp"

#include <algorithm>
#include <iterator>

#include "judge/right_test.hpp"

namespace rmsnorm::judge {

std::size_t sample_size(std::size_t width) {
    constexpr std::size_t most_values = 100'000;
    return std::clamp<std::size_t>(most_values / std::max<std::size_t>(width, 1), 4, 64);
}

std::vector<std::size_t> sampled_rows(std::size_t rows, std::size_t width) {
    return spread_indices(rows, sample_size(width));
}

std::vector<std::size_t> readable(const Rows& rows, const std::vector<std::size_t>& indices) {
    std::vector<std::size_t> result;
    std::copy_if(indices.begin(), indices.end(), std::back_inserter(result),
                 [&](std::size_t k) { return rows.can_read(k); });
    return result;
}

std::vector<Row> ordinary_rows(const Tensors& tensors, const Rows& rows,
                               const std::vector<std::size_t>& indices) {
    std::vector<Row> result;
    for (const std::size_t k : indices) {
        Row row;
        rows.read(k, row);
        if (kind_of(tensors, row) == RowKind::ordinary) {
            result.push_back(std::move(row));
        }
    }
    return result;
}

std::vector<Row> ordinary_sample(const Tensors& tensors, std::size_t most) {
    return ordinary_rows(tensors, *view_of(tensors, View::plain),
                         some_of(sampled_rows(tensors.rows, tensors.width), most));
}

}  // namespace rmsnorm::judge
