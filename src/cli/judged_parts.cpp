#include "cli/judged_parts.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "cli/error.hpp"
#include "cli/input/json.hpp"
#include "cli/input/tensor_json.hpp"
#include "cli/tensor_file.hpp"
#include "evidence/number_text.hpp"
#include "judge/right_test.hpp"
#include "numeric/bits.hpp"

namespace rmsnorm::cli {
namespace {

using judge::Part;
using numeric::NumberFormat;

constexpr const char* accepted_part = "the JSON document of judge --rows FROM:TO";
constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;

JsonNode member(const JsonNode& node, const char* key) {
    return required_member(
        node, key, std::string(accepted_part) + ", which has " + quoted(std::string_view(key)));
}

std::size_t count_of(const JsonNode& node, const char* key, std::size_t greatest = most) {
    return static_cast<std::size_t>(whole_of(member(node, key), 0, greatest));
}

bool truth_of(const JsonNode& node) {
    if (!node.is(JsonKind::boolean)) throw node.refusal("true or false");
    return node.truth();
}

std::uint64_t pattern_of(const JsonNode& node, std::string_view digits) {
    std::uint64_t pattern = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), pattern, 16);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) {
        throw node.refusal("hexadecimal digits");
    }
    return pattern;
}

std::vector<double> numbers_of(const JsonNode& node, NumberFormat format, std::size_t count) {
    const std::string text = text_of(node);
    const std::size_t digits = 2 * numeric::byte_size(format);
    if (text.size() % digits != 0 || text.size() / digits != count) {
        throw node.refusal(evidence::counted(text.size(), "character"),
                           std::to_string(count) + " patterns of " + std::to_string(digits) +
                               " hexadecimal digits");
    }
    std::vector<double> numbers;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view pattern = std::string_view(text).substr(i * digits, digits);
        numbers.push_back(numeric::decode(format, pattern_of(node, pattern)));
    }
    return numbers;
}

double number_of_pattern(const JsonNode& node) {
    return numbers_of(node, NumberFormat::binary64, 1)[0];
}

NumberFormat format_of(const JsonNode& inputs, const char* key) {
    const JsonNode node = member(inputs, key);
    if (const auto format = numeric::format_named(text_of(node))) return *format;
    throw node.refusal("f64, f32, f16 or bf16");
}

std::vector<bool> rows_of(const JsonNode& node, std::size_t rows) {
    auto set = judge::rows_of_ranges(text_of(node), rows);
    if (!set) throw node.refusal("rows of " + std::to_string(rows) + " as in 0:5,7:8");
    return std::move(*set);
}

judge::Pass pass_of(const JsonNode& node, std::size_t rows, std::size_t width) {
    judge::Pass pass;
    pass.rows = rows;
    pass.judged = count_of(node, "judged", rows);
    pass.skipped_rows = count_of(node, "skipped_rows", rows);
    for (const std::size_t row : shape_of(member(node, "skipped"))) pass.skipped.push_back(row);
    pass.without_bound = count_of(node, "without_bound", rows);
    pass.overflowed = count_of(node, "overflowed", rows);
    pass.without_result = count_of(node, "without_result", rows);
    pass.zero_rows_nan = count_of(node, "zero_rows_nan", rows);
    pass.zero_rows_other = count_of(node, "zero_rows_other", rows);
    pass.not_finite_other = count_of(node, "not_finite_other", rows);
    pass.ordinary = truth_of(member(node, "ordinary"));
    const JsonNode outside = member(node, "outside");
    if (!outside.is(JsonKind::array)) throw outside.refusal(accepted_part);
    for (const JsonNode& form : outside.items()) {
        pass.outside.push_back(rows_of(form, rows));
    }
    pass.zeros = rows_of(member(node, "zeros"), rows);
    pass.recipe = text_of(member(node, "recipe"));
    if (!pass.recipe.empty()) {
        pass.outside_recipe = rows_of(member(node, "outside_recipe"), rows);
    }
    const JsonNode error = member(node, "error");
    pass.error.max_ulp = number_of_pattern(member(error, "ulp"));
    pass.error.row = count_of(error, "row", rows == 0 ? 0 : rows - 1);
    pass.error.column = count_of(error, "column", width == 0 ? 0 : width - 1);
    pass.error.found = number_of_pattern(member(error, "found"));
    pass.error.expected = number_of_pattern(member(error, "expected"));
    return pass;
}

Part part_of(const JsonNode& document) {
    const JsonNode inputs = member(document, "inputs");
    const JsonNode node = member(document, "part");
    Part part;
    part.of = count_of(node, "of");
    part.to = count_of(node, "to", part.of);
    part.from = count_of(node, "from", part.to);
    part.width = count_of(inputs, "width");
    part.formats = {format_of(inputs, "input_dtype"), format_of(inputs, "gain_dtype"),
                    format_of(inputs, "output_dtype")};
    part.epsilon = number_of_pattern(member(node, "epsilon"));
    part.gain_offset = number_of_pattern(member(node, "gain_offset"));
    part.gain = numbers_of(member(node, "gain"), NumberFormat::binary64, part.width);
    const std::size_t rows = part.to - part.from;
    // Which also bounds the rows by what the file holds.
    const auto halves = numbers_of(member(node, "squares"), NumberFormat::binary64, 2 * rows);
    part.pass = pass_of(member(node, "pass"), rows, part.width);
    for (std::size_t row = 0; row < rows; ++row) {
        part.squares.push_back({halves[2 * row], halves[2 * row + 1]});
    }
    const JsonNode kept = member(node, "kept");
    if (!kept.is(JsonKind::array)) throw kept.refusal(accepted_part);
    for (const JsonNode& row : kept.items()) {
        part.kept.push_back(
            {static_cast<std::size_t>(whole_of(member(row, "row"), part.from, part.to - 1)),
             numbers_of(member(row, "input"), part.formats.input, part.width),
             numbers_of(member(row, "output"), part.formats.output, part.width)});
    }
    judge::Tensors tensors;
    tensors.width = part.width;
    tensors.formats = part.formats;
    tensors.gain_offset = part.gain_offset;
    tensors.gain = part.gain;
    if (part.pass.outside.size() != judge::RightTest(tensors).forms()) {
        throw node.refusal(accepted_part);
    }
    return part;
}

bool alike(const Part& a, const Part& b) {
    return a.of == b.of && a.width == b.width && a.formats.input == b.formats.input &&
           a.formats.gain == b.formats.gain && a.formats.output == b.formats.output &&
           numeric::same_bits(a.epsilon, b.epsilon) &&
           numeric::same_bits(a.gain_offset, b.gain_offset) && a.gain == b.gain &&
           a.pass.recipe == b.pass.recipe;
}

std::string rows_text(std::size_t from, std::size_t to) {
    return "rows " + std::to_string(from) + ":" + std::to_string(to);
}

}  // namespace

judge::Joined read_parts(const std::vector<std::string>& paths) {
    struct Named {
        std::string path;
        Part part;
    };
    std::vector<Named> all;
    for (const std::string& path : paths) {
        const FileBytes file(path, path);
        const JsonNode document = parse_json(
            path, file.bytes(), {accepted_part, std::numeric_limits<std::uint32_t>::max()});
        all.push_back({path, part_of(document)});
    }
    std::stable_sort(all.begin(), all.end(), [](const Named& a, const Named& b) {
        return std::pair(a.part.from, a.part.to) < std::pair(b.part.from, b.part.to);
    });
    std::size_t next = 0;
    for (const Named& one : all) {
        if (!alike(all.front().part, one.part)) {
            throw InputError(one.path + ": found a part of other tensors than " + all.front().path +
                             "; accepted: parts of one judgment");
        }
        if (one.part.from != next) {
            throw InputError(one.path + ": found " + rows_text(one.part.from, one.part.to) +
                             "; accepted: rows from " + std::to_string(next) +
                             " on, after the other parts");
        }
        next = one.part.to;
    }
    if (next != all.back().part.of) {
        throw InputError("--merge: found no " + rows_text(next, all.back().part.of) +
                         "; accepted: documents of all rows");
    }
    std::vector<Part> parts;
    for (Named& one : all) parts.push_back(std::move(one.part));
    judge::Joined all_rows = judge::joined(parts);
    const std::optional<std::size_t> missing = judge::first_missing(all_rows, parts);
    if (missing) {
        throw InputError("--merge: found nothing kept of row " + std::to_string(*missing) +
                         "; accepted: documents as judge --rows writes them");
    }
    return all_rows;
}

}  // namespace rmsnorm::cli
