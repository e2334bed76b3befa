// A part of the rows: what its document holds, so that the parts' documents give the verdict on
// all.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/record.hpp"
#include "judge/pass.hpp"

namespace rmsnorm::judge {

/// A row as it was handed in.
struct KeptRow {
    std::size_t row = 0;  // of all
    std::vector<double> input;
    std::vector<double> output;
};

/// Rows `from` to `to`, without `to`, of `of`.
struct Part {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t of = 0;
    std::size_t width = 0;
    Formats formats;
    double epsilon = 0;
    double gain_offset = 0;
    std::vector<double> gain;
    Pass pass;                          // rows counted from `from`
    std::vector<DoubleDouble> squares;  // the sum of each row
    std::vector<KeptRow> kept;
};

/// The tensors of those rows alone.
Tensors tensors_of_rows(const Tensors& tensors, std::size_t from, std::size_t to);

/// The part of all the tensors that `pass`, over the rows from `from` on, makes.
Part part_of(const Tensors& tensors, std::size_t from, const Pass& pass);

/// Parts that lie one behind the other and cover all rows, joined. What was not kept cannot be
/// read.
struct Joined {
    Tensors tensors;
    Pass pass;
};
Joined joined(const std::vector<Part>& parts);

/// The first row that the verdict on all rows, after the joined pass, needs and that no part has
/// kept.
std::optional<std::size_t> first_missing(const Joined& all, const std::vector<Part>& parts);

/// The member `part` of its document. Numbers are patterns in hexadecimal; of a sum of squares the
/// two doubles that it is the sum of.
evidence::Record record(const Part& part);

/// "0:5,7:8": the rows that are true, as ranges without their ends; and back, nothing for what is
/// no such set of `rows` rows.
std::string row_ranges(const std::vector<bool>& rows);
std::optional<std::vector<bool>> rows_of_ranges(std::string_view text, std::size_t rows);

}  // namespace rmsnorm::judge
