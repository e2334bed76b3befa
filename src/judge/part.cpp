#include "judge/part.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "judge/row_statistics.hpp"
#include "judge/sample.hpp"
#include "numeric/bits.hpp"

namespace rmsnorm::judge {
namespace {

ElementReader reader_behind(ElementReader read, std::size_t offset) {
    return [read = std::move(read), offset](std::size_t first, std::size_t stride,
                                            std::span<double> elements) {
        read(offset + first, stride, elements);
    };
}

using KeptRows = std::map<std::size_t, KeptRow>;

ElementReader reader_of_part(std::shared_ptr<const KeptRows> rows,
                             std::shared_ptr<const std::vector<bool>> zeros, std::size_t width,
                             std::vector<double> KeptRow::*tensor) {
    return [rows = std::move(rows), zeros = std::move(zeros), width, tensor](
               std::size_t first, std::size_t stride, std::span<double> elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const std::size_t at = first + i * stride;
            elements[i] = 0;
            if ((*zeros)[at / width]) continue;
            const auto row = rows->find(at / width);
            if (row == rows->end()) throw std::logic_error("a row that was not kept is read");
            elements[i] = (row->second.*tensor)[at % width];
        }
    };
}

std::string patterns(NumberFormat format, const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += numeric::hex(format, value);
    return text;
}

evidence::Record record(const Pass& pass) {
    const OutputError& error = pass.error;
    evidence::Array outside;
    for (const std::vector<bool>& form : pass.outside) outside.items.push_back(row_ranges(form));
    return evidence::Record()
        .add("judged", pass.judged)
        .add("skipped_rows", pass.skipped_rows)
        .add("skipped",
             evidence::array_of(pass.skipped, [](std::size_t k) { return evidence::Datum(k); }))
        .add("without_bound", pass.without_bound)
        .add("overflowed", pass.overflowed)
        .add("without_result", pass.without_result)
        .add("zero_rows_nan", pass.zero_rows_nan)
        .add("zero_rows_other", pass.zero_rows_other)
        .add("not_finite_other", pass.not_finite_other)
        .add("ordinary", pass.ordinary)
        .add("outside", std::move(outside))
        .add("zeros", row_ranges(pass.zeros))
        .add("recipe", pass.recipe)
        .add("outside_recipe", row_ranges(pass.outside_recipe))
        .add("error", evidence::Record()
                          .add("ulp", numeric::hex(error.max_ulp))
                          .add("row", error.row)
                          .add("column", error.column)
                          .add("found", numeric::hex(error.found))
                          .add("expected", numeric::hex(error.expected)));
}

}  // namespace

Tensors tensors_of_rows(const Tensors& tensors, std::size_t from, std::size_t to) {
    Tensors part = tensors;
    part.rows = to - from;
    part.input = reader_behind(tensors.input, from * tensors.width);
    part.output = reader_behind(tensors.output, from * tensors.width);
    return part;
}

Part part_of(const Tensors& tensors, std::size_t from, const Pass& pass) {
    Part part{from,
              from + pass.rows,
              tensors.rows,
              tensors.width,
              tensors.formats,
              tensors.epsilon,
              tensors.gain_offset,
              tensors.gain,
              pass,
              {},
              {}};
    std::vector<bool> keeps = unexplained_rows(pass);
    if (pass.rows > 0) keeps[pass.error.row] = true;
    for (const std::size_t k : sampled_rows(tensors.rows, tensors.width)) {
        if (from <= k && k < part.to) keeps[k - from] = true;
    }
    std::vector<double> input(tensors.width);
    std::vector<double> output(tensors.width);
    for (std::size_t k = from; k < part.to; ++k) {
        tensors.input(k * tensors.width, 1, input);
        part.squares.push_back(sum_of_squares(input, NumberFormat::binary64));
        if (!keeps[k - from] || pass.zeros[k - from]) continue;
        tensors.output(k * tensors.width, 1, output);
        part.kept.push_back({k, input, output});
    }
    return part;
}

Joined joined(const std::vector<Part>& parts) {
    const Part& first = parts.front();
    Joined all;
    all.tensors.rows = first.of;
    all.tensors.width = first.width;
    all.tensors.formats = first.formats;
    all.tensors.epsilon = first.epsilon;
    all.tensors.gain_offset = first.gain_offset;
    all.tensors.gain = first.gain;
    all.pass = first.pass;
    const auto kept = std::make_shared<KeptRows>();
    const auto squares = std::make_shared<std::vector<DoubleDouble>>();
    for (const Part& part : parts) {
        if (&part != &first) append(all.pass, part.pass);
        squares->insert(squares->end(), part.squares.begin(), part.squares.end());
        for (const KeptRow& row : part.kept) kept->emplace(row.row, row);
    }
    const auto zeros = std::make_shared<const std::vector<bool>>(all.pass.zeros);
    all.tensors.input = reader_of_part(kept, zeros, first.width, &KeptRow::input);
    all.tensors.output = reader_of_part(kept, zeros, first.width, &KeptRow::output);
    all.tensors.row_squares = [squares](std::size_t row) { return (*squares)[row]; };
    return all;
}

std::optional<std::size_t> first_missing(const Joined& all, const std::vector<Part>& parts) {
    const Pass& pass = all.pass;
    std::vector<bool> needed = rows_to_keep(pass, all.tensors.width);
    for (const Part& part : parts) {
        for (const KeptRow& row : part.kept) needed[row.row] = false;
    }
    for (std::size_t k = 0; k < pass.rows; ++k) needed[k] = needed[k] && !pass.zeros[k];
    const auto missing = std::find(needed.begin(), needed.end(), true);
    if (missing == needed.end()) return std::nullopt;
    return static_cast<std::size_t>(missing - needed.begin());
}

evidence::Record record(const Part& part) {
    std::string squares;
    for (const DoubleDouble sum : part.squares) {
        squares += numeric::hex(sum.high) + numeric::hex(sum.low);
    }
    return evidence::Record()
        .add("from", part.from)
        .add("to", part.to)
        .add("of", part.of)
        .add("epsilon", numeric::hex(part.epsilon))
        .add("gain_offset", numeric::hex(part.gain_offset))
        .add("gain", patterns(NumberFormat::binary64, part.gain))
        .add("pass", record(part.pass))
        .add("squares", std::move(squares))
        .add("kept", evidence::array_of(part.kept, [&](const KeptRow& row) {
                 return evidence::Datum(
                     evidence::Record()
                         .add("row", row.row)
                         .add("input", patterns(part.formats.input, row.input))
                         .add("output", patterns(part.formats.output, row.output)));
             }));
}

std::string row_ranges(const std::vector<bool>& rows) {
    std::string text;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!rows[k]) continue;
        const std::size_t begin = k;
        while (k < rows.size() && rows[k]) ++k;
        text += (text.empty() ? "" : ",") + std::to_string(begin) + ":" + std::to_string(k);
    }
    return text;
}

std::optional<std::vector<bool>> rows_of_ranges(std::string_view text, std::size_t rows) {
    std::vector<bool> result(rows);
    const char* at = text.data();
    const char* const end = at + text.size();
    std::size_t least = 0;
    while (at != end) {
        std::size_t from = 0;
        std::size_t to = 0;
        const auto first = std::from_chars(at, end, from);
        if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return std::nullopt;
        const auto second = std::from_chars(first.ptr + 1, end, to);
        if (second.ec != std::errc() || from < least || from >= to || to > rows) {
            return std::nullopt;
        }
        std::fill(result.begin() + static_cast<std::ptrdiff_t>(from),
                  result.begin() + static_cast<std::ptrdiff_t>(to), true);
        least = to;
        at = second.ptr;
        if (at == end) break;
        if (*at != ',' || ++at == end) return std::nullopt;
    }
    return result;
}

}  // namespace rmsnorm::judge
