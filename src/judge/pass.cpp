#include "judge/pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "judge/recipe_match.hpp"
#include "judge/sample.hpp"

namespace rmsnorm::judge {
namespace {

constexpr std::size_t most_listed = 16;

class Reader {
  public:
    Reader(const Tensors& tensors, const Recipe* recipe) : tensors_(tensors), right_(tensors) {
        pass_.rows = tensors.rows;
        pass_.outside.assign(right_.forms(), std::vector<bool>(tensors.rows));
        pass_.zeros.resize(tensors.rows);
        if (recipe == nullptr) return;
        recipe_.emplace(tensors, *recipe);
        pass_.recipe = recipe->id;
        pass_.outside_recipe.resize(tensors.rows);
    }

    Pass run() {
        const auto rows = view_of(tensors_, View::plain);
        Row row;
        for (std::size_t k = 0; k < tensors_.rows; ++k) {
            rows->read(k, row);
            const RowKind kind = kind_of(tensors_, row);
            if (kind == RowKind::ordinary) {
                read_ordinary(row);
            } else if (kind == RowKind::overflowed) {
                read_overflowed(row);
            } else {
                read_special(row, kind);
            }
        }
        return std::move(pass_);
    }

  private:
    void read_ordinary(const Row& row) {
        const std::optional<Scale> scale = right_.scale(row.input);
        if (!scale) {
            ++pass_.without_bound;
            return;
        }
        ++pass_.judged;
        pass_.ordinary = true;
        right_.fits(row, *scale, fits_);
        for (std::size_t i = 0; i < fits_.size(); ++i) pass_.outside[i][row.index] = !fits_[i];
        note_error(tensors_, row, right_.gain(), *scale, pass_.error);
        if (recipe_) pass_.outside_recipe[row.index] = !recipe_->fits(row);
    }

    // A recipe tells whether the squares overflow; the formula does not.
    void read_overflowed(const Row& row) {
        const std::optional<Scale> scale = right_.scale(row.input);
        if (scale) right_.fits(row, *scale, fits_);
        if (scale && std::find(fits_.begin(), fits_.end(), true) != fits_.end()) {
            read_ordinary(row);
        } else if (recipe_) {
            ++pass_.judged;
            pass_.outside_recipe[row.index] = !recipe_->fits(row);
        } else {
            ++pass_.overflowed;
        }
    }

    void read_special(const Row& row, RowKind kind) {
        const std::vector<bool> wrong = wrong_without_scale(kind, row);
        const auto first = std::find(wrong.begin(), wrong.end(), true);
        if (kind != RowKind::not_finite) {
            pass_.zeros[row.index] =
                std::all_of(row.output.begin(), row.output.end(), [](double y) { return y == 0; });
        }
        if (first == wrong.end()) {
            note_without_scale(row.index, kind);
            return;
        }
        ++pass_.judged;
        for (std::vector<bool>& form : pass_.outside) form[row.index] = true;
        if (recipe_) pass_.outside_recipe[row.index] = true;
        const bool nans = std::all_of(row.output.begin(), row.output.end(),
                                      [](double y) { return std::isnan(y); });
        const bool nan_is_right = kind == RowKind::not_finite;
        ++(nan_is_right ? pass_.not_finite_other
           : nans       ? pass_.zero_rows_nan
                        : pass_.zero_rows_other);
        constexpr double infinite = std::numeric_limits<double>::infinity();
        if (pass_.error.max_ulp < infinite) {
            const auto column = static_cast<std::size_t>(first - wrong.begin());
            const double expected = nan_is_right ? std::numeric_limits<double>::quiet_NaN() : 0;
            pass_.error = {infinite, 0, row.index, column, row.output[column], expected};
        }
    }

    void note_without_scale(std::size_t row, RowKind kind) {
        if (kind == RowKind::not_finite) {
            ++pass_.skipped_rows;
            if (pass_.skipped.size() < most_listed) pass_.skipped.push_back(row);
        } else {
            ++(kind == RowKind::undefined ? pass_.without_result : pass_.judged);
        }
    }

    const Tensors& tensors_;
    RightTest right_;
    std::optional<RecipeTest> recipe_;
    std::vector<bool> fits_;
    Pass pass_;
};

}  // namespace

Pass pass_over(const Tensors& tensors, const Recipe* recipe) {
    return Reader(tensors, recipe).run();
}

void append(Pass& pass, const Pass& next) {
    for (std::size_t i = 0; i < pass.outside.size(); ++i) {
        pass.outside[i].insert(pass.outside[i].end(), next.outside[i].begin(),
                               next.outside[i].end());
    }
    pass.zeros.insert(pass.zeros.end(), next.zeros.begin(), next.zeros.end());
    pass.outside_recipe.insert(pass.outside_recipe.end(), next.outside_recipe.begin(),
                               next.outside_recipe.end());
    if (next.error.max_ulp > pass.error.max_ulp ||
        (is_nowhere(pass.error) && !is_nowhere(next.error))) {
        pass.error = next.error;
        pass.error.row += pass.rows;
    }
    for (const std::size_t row : next.skipped) {
        if (pass.skipped.size() < most_listed) pass.skipped.push_back(pass.rows + row);
    }
    pass.rows += next.rows;
    pass.judged += next.judged;
    pass.skipped_rows += next.skipped_rows;
    pass.without_bound += next.without_bound;
    pass.overflowed += next.overflowed;
    pass.without_result += next.without_result;
    pass.zero_rows_nan += next.zero_rows_nan;
    pass.zero_rows_other += next.zero_rows_other;
    pass.not_finite_other += next.not_finite_other;
    pass.ordinary = pass.ordinary || next.ordinary;
}

std::vector<bool> unexplained_rows(const Pass& pass) {
    std::vector<bool> rows(pass.rows);
    for (std::size_t row = 0; row < pass.rows; ++row) {
        rows[row] = std::all_of(pass.outside.begin(), pass.outside.end(),
                                [&](const std::vector<bool>& form) { return form[row]; });
    }
    return rows;
}

std::vector<bool> rows_to_keep(const Pass& pass, std::size_t width) {
    std::vector<bool> kept = unexplained_rows(pass);
    for (std::size_t row = 0; row < pass.rows; ++row) kept[row] = kept[row] || pass.zeros[row];
    for (const std::size_t row : sampled_rows(pass.rows, width)) kept[row] = true;
    if (pass.rows > 0) kept[pass.error.row] = true;
    return kept;
}

}  // namespace rmsnorm::judge
