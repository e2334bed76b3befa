#include "cli/vector_results.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "cli/choices.hpp"
#include "cli/error.hpp"
#include "cli/input/byte_stream.hpp"
#include "cli/input/tensor_json.hpp"
#include "cli/tensor_file.hpp"
#include "evidence/number_text.hpp"

namespace rmsnorm::cli {
namespace {

using judge::vectors::Accepted;
using judge::vectors::Direction;
using judge::vectors::Result;
using judge::vectors::TestVector;
using judge::vectors::VectorSet;

// Far above the results of any set.
constexpr std::size_t most_bytes = 64U << 20;
constexpr std::uint64_t most_values = 1U << 20;
constexpr const char* accepted_results =
    "{\"dtype\": \"f32\", \"direction\": \"forward\", \"results\": [{\"id\": 1, \"output\": "
    "[\"3f800000\"]}]}";

JsonNode member(const JsonNode& object, std::string_view key, JsonKind kind) {
    JsonNode found = required_member(object, key, accepted_results);
    if (!found.is(kind)) throw found.refusal(accepted_results);
    return found;
}

double number_in(const JsonNode& node, judge::NumberFormat format) {
    const std::size_t digits = 2 * numeric::byte_size(format);
    const std::string accepted = std::to_string(digits) + " hexadecimal digits, the bits of a " +
                                 std::string(numeric::full_name(format));
    if (!node.is(JsonKind::text)) throw node.refusal(accepted);
    const std::string_view text = node.text();
    std::uint64_t pattern = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, pattern, 16);
    if (error != std::errc() || rest != end || text.size() != digits) throw node.refusal(accepted);
    return numeric::decode(format, pattern);
}

const TestVector* test_of(const VectorSet& set, std::uint64_t id) {
    const auto found = std::find_if(set.tests.begin(), set.tests.end(),
                                    [&](const TestVector& one) { return one.id == id; });
    return found == set.tests.end() ? nullptr : &*found;
}

Result result_of(const JsonNode& node, const VectorSet& set) {
    if (!node.is(JsonKind::object)) throw node.refusal(accepted_results);
    const std::optional<JsonNode> id = node.find("id");
    const std::uint64_t number = id && id->whole() ? *id->whole() : 0;
    const TestVector* const vector = test_of(set, number);
    if (vector == nullptr) {
        throw node.refusal("no id of a test", "ids from 1 to " + std::to_string(set.tests.size()));
    }
    Result result{vector->id, {}};
    std::vector<std::string_view> known = {"id"};
    for (const Accepted& accepted : vector->trial.accepted) {
        known.push_back(accepted.tensor);
        const std::optional<JsonNode> values = node.find(accepted.tensor);
        // A program that refused, or has no gradients.
        if (!values || values->is(JsonKind::null)) continue;
        const std::string wanted =
            "an array of " + std::to_string(accepted.exact.size()) + " bit patterns";
        if (!values->is(JsonKind::array)) throw values->refusal(wanted);
        std::vector<double> numbers;
        for (const JsonNode& item : values->items()) {
            numbers.push_back(number_in(item, set.format));
        }
        if (numbers.size() != accepted.exact.size()) {
            throw values->refusal(evidence::counted(numbers.size(), "value"), wanted);
        }
        result.tensors.emplace(accepted.tensor, std::move(numbers));
    }
    // The results of what is to be refused are not looked at.
    if (!vector->test.refuse) require_known_keys(node, known);
    return result;
}

std::vector<double> array_in(const std::string& path, const VectorSet& set, std::size_t elements) {
    const FileBytes file(path, path);
    const StoredTensor stored = parse_npy_tensor(path, file.bytes(), set.format);
    if (stored.format != set.format) {
        throw InputError(path + ": found " + std::string(numeric::full_name(stored.format)) +
                         "; accepted: " + std::string(numeric::full_name(set.format)));
    }
    if (stored.elements != elements) {
        throw InputError(path + ": found " + evidence::counted(stored.elements, "value") +
                         "; accepted: " + std::to_string(elements));
    }
    std::vector<double> values(elements);
    stored.read(0, 1, values);
    return values;
}

}  // namespace

std::vector<std::string> direction_names() {
    std::vector<std::string> names;
    for (const Direction direction : judge::vectors::directions) {
        names.emplace_back(name(direction));
    }
    return names;
}

Direction direction_of(const std::string& origin, const std::string& text) {
    for (const Direction direction : judge::vectors::directions) {
        if (text == name(direction)) return direction;
    }
    refuse_choice(origin, text, direction_names());
}

VectorResults read_vector_results(const std::string& path) {
    const JsonNode root =
        parse_json(path, read_file(path, most_bytes), {accepted_results, most_values});
    if (!root.is(JsonKind::object)) throw root.refusal(accepted_results);
    require_known_keys(root, {"dtype", "direction", "results"});
    const std::string dtype(member(root, "dtype", JsonKind::text).text());
    const std::string direction(member(root, "direction", JsonKind::text).text());
    return {dtype_named(path + ": dtype", dtype), direction_of(path + ": direction", direction),
            member(root, "results", JsonKind::array)};
}

std::vector<Result> results_on(const VectorSet& set, const VectorResults& read) {
    std::vector<Result> results;
    for (const JsonNode& node : read.items.items()) {
        Result result = result_of(node, set);
        const bool known = std::any_of(results.begin(), results.end(),
                                       [&](const Result& one) { return one.id == result.id; });
        if (known) throw node.refusal("a test that came before", "each test once");
        results.push_back(std::move(result));
    }
    return results;
}

std::vector<Result> read_vector_folder(const std::string& folder, const VectorSet& set) {
    std::vector<Result> results;
    for (const TestVector& vector : set.tests) {
        Result result{vector.id, {}};
        for (const Accepted& accepted : vector.trial.accepted) {
            const std::string middle =
                set.direction == Direction::forward ? "" : "." + accepted.tensor;
            const std::string path = folder + "/" + std::to_string(vector.id) + middle + ".npy";
            std::error_code ignored;
            if (!std::filesystem::exists(path, ignored)) continue;
            result.tensors.emplace(accepted.tensor, array_in(path, set, accepted.exact.size()));
        }
        if (!result.tensors.empty()) results.push_back(std::move(result));
    }
    if (results.empty()) {
        throw InputError(folder + ": found no results in this folder; accepted: " +
                         (set.direction == Direction::forward
                              ? "1.npy, 2.npy and so on, one for each test"
                              : "1.input_gradient.npy, 1.gain_gradient.npy and so on"));
    }
    return results;
}

}  // namespace rmsnorm::cli
