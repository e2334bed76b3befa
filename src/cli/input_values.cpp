#include "cli/input_values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "cli/error.hpp"
#include "cli/input/tensor_input.hpp"
#include "cli/input/tensor_json.hpp"
#include "cli/input/text.hpp"
#include "cli/numbers.hpp"
#include "evidence/number_text.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

using evidence::Accepted;
using evidence::Input;
using tensor::Tensor;

Limits limits_of(const Accepted& accepted, std::size_t max_elements) {
    const bool own = accepted.most_elements > 0;
    return {.max_elements = own ? accepted.most_elements : max_elements,
            .empty_allowed = accepted.takes_shape,
            .adjustable = !own};
}

// The one place where a reader's number becomes a binary32 number.
float rounded(const std::string& origin, const std::string& place, double value) {
    const auto result = static_cast<float>(value);
    if (!std::isfinite(result)) {
        throw InputError({origin, place, quoted(numeric::shortest(value)),
                          "magnitudes that binary32 can hold, up to 3.4028234663852886e38"});
    }
    if (result == 0 && value != 0) {
        throw InputError({origin, place,
                          quoted(numeric::shortest(value)) +
                              ", which is too small for binary32 and would be zero",
                          "0 itself or a magnitude from 1.4e-45"});
    }
    return result;
}

std::string element(std::size_t index) { return "element " + std::to_string(index + 1); }

Tensor one_vector(const std::string& origin, Tensor values) {
    if (values.rank() == 1) return values;
    throw InputError(
        {origin, "",
         evidence::counted(values.size(), "value") + " of shape " + tensor::to_text(values.shape()),
         "one vector, of rank 1"});
}

std::vector<float> binary32_vector(const std::string& origin, const Tensor& read) {
    const auto& shape = read.shape();
    const auto rows =
        std::count_if(shape.begin(), shape.end(), [](std::size_t axis) { return axis != 1; });
    if (rows > 1 || read.size() == 0) {
        throw InputError({origin, "", "the shape " + tensor::to_text(shape), "one vector"});
    }
    std::vector<float> values;
    for (std::size_t i = 0; i < read.size(); ++i) {
        values.push_back(rounded(origin, element(i), read[i]));
    }
    return values;
}

void require_within(const std::string& origin, const std::string& place, double value,
                    evidence::Range range) {
    if (evidence::within(value, range)) return;
    throw InputError({origin, place, evidence::given_text(value), evidence::described(range)});
}

std::vector<double> numbers(const std::string& origin, const Tensor& read, evidence::Range range) {
    for (std::size_t i = 0; i < read.size(); ++i) {
        require_within(origin, element(i), read[i], range);
    }
    return {read.values().begin(), read.values().end()};
}

// "1, 2,3", with or without brackets.
std::vector<std::size_t> parsed_counts(const std::string& option, const std::string& list,
                                       const Accepted& accepted) {
    std::vector<std::size_t> values;
    const std::string text = without_brackets(list);
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::size_t first = std::min(text.find_first_not_of(' ', start), end);
        const std::size_t last = text.find_last_not_of(' ', end - (end > start ? 1 : 0));
        const std::string count = first == end ? "" : text.substr(first, last + 1 - first);
        if (has_spare_zeros(count)) refuse_number(option, element(values.size()), count);
        values.push_back(parse_count(option + ": " + element(values.size()), count, accepted.least,
                                     accepted.most));
        start = end + 1;
    }
    return values;
}

std::vector<std::size_t> counts(const std::string& origin, const std::vector<std::size_t>& read,
                                const Accepted& accepted) {
    constexpr std::size_t longest = 64;
    if (read.size() > longest) {
        throw InputError({origin, "", std::to_string(read.size()) + " elements",
                          "at most " + std::to_string(longest)});
    }
    for (std::size_t i = 0; i < read.size(); ++i) {
        const auto end = read.begin() + static_cast<std::ptrdiff_t>(i);
        if (read[i] < accepted.least || read[i] > accepted.most) {
            throw InputError({origin, element(i), quoted(std::to_string(read[i])),
                              "a whole number from " + std::to_string(accepted.least) + " to " +
                                  std::to_string(accepted.most)});
        }
        if (std::find(read.begin(), end, read[i]) != end) {
            throw InputError(
                {origin, element(i), quoted(std::to_string(read[i])), "each number once"});
        }
    }
    return read;
}

// Where the value of an input comes from: the words of an option.
struct FromOption {
    const Input& input;
    std::string option;
    const std::vector<std::string>& words;
    std::size_t max_elements;

    const Accepted& accepted() const { return input.accepted; }
    Tensor tensor(const std::string& word) const {
        return read_tensor(option, word, limits_of(accepted(), max_elements));
    }
    std::string origin(const std::string& word) const { return origin_of(option, word); }
    std::uint64_t most() const { return accepted().most == 0 ? max_elements : accepted().most; }

    void operator()(bool* truth) const { *truth = true; }
    void operator()(std::string* text) const { *text = words.front(); }
    void operator()(double* number) const {
        *number = parse_number(option, words.front(), accepted().range);
    }
    void operator()(float* number) const {
        *number = rounded(option, "", parse_number(option, words.front(), accepted().range));
    }
    template <class Number>
    void operator()(std::optional<Number>* number) const {
        Number value{};
        (*this)(&value);
        *number = value;
    }
    void operator()(std::size_t* count) const {
        *count = parse_count(option, words.front(), accepted().least, most());
    }
    void operator()(Tensor* values) const {
        Tensor read = tensor(words.front());
        *values = accepted().one_vector ? one_vector(origin(words.front()), std::move(read))
                                        : std::move(read);
    }
    void operator()(std::vector<float>* values) const {
        *values = binary32_vector(origin(words.front()), tensor(words.front()));
    }
    void operator()(std::vector<double>* values) const {
        *values = numbers(origin(words.front()), tensor(words.front()), accepted().range);
    }
    void operator()(std::vector<std::size_t>* values) const {
        if (accepted().is_shape) {
            *values = parse_shape(option, words.front());
        } else {
            *values = counts(option, parsed_counts(option, words.front(), accepted()), accepted());
        }
    }
    void operator()(std::vector<std::string>* texts) const { *texts = words; }
    void operator()(std::vector<Tensor>* list) const {
        list->clear();
        for (const std::string& word : words) {
            list->push_back(one_vector(origin(word), tensor(word)));
        }
    }
    void operator()(std::vector<evidence::Record>*) const {}  // has no option
};

// The same from a member of a case or of a document's inputs.
struct FromJson {
    const Input& input;
    const std::string& origin;
    const JsonNode& node;
    const std::optional<tensor::Shape>& shape;  // the case's
    std::size_t max_elements;

    const Accepted& accepted() const { return input.accepted; }
    Tensor tensor(const JsonNode& from) const {
        const Limits limits = limits_of(accepted(), max_elements);
        return shape && accepted().takes_shape ? tensor_of(from, limits, *shape)
                                               : tensor_of(from, limits);
    }
    double number(evidence::Range range) const {
        const double value = number_of(node);
        if (!evidence::within(value, range)) {
            throw node.refusal(numeric::shortest(value), evidence::described(range));
        }
        return value;
    }

    void operator()(bool* truth) const {
        if (!node.is(JsonKind::boolean)) throw node.refusal("true or false");
        *truth = node.truth();
    }
    void operator()(std::string* text) const { *text = text_of(node); }
    void operator()(double* value) const { *value = number(accepted().range); }
    void operator()(float* value) const { *value = rounded(origin, "", number(accepted().range)); }
    template <class Number>
    void operator()(std::optional<Number>* value) const {
        Number read{};
        (*this)(&read);
        *value = read;
    }
    std::uint64_t whole() const {
        return whole_of(node, accepted().least,
                        accepted().most == 0 ? max_elements : accepted().most);
    }
    void operator()(std::size_t* count) const { *count = static_cast<std::size_t>(whole()); }
    void operator()(Tensor* values) const {
        Tensor read = tensor(node);
        *values = accepted().one_vector ? one_vector(origin, std::move(read)) : std::move(read);
    }
    void operator()(std::vector<float>* values) const {
        *values = binary32_vector(origin, tensor(node));
    }
    void operator()(std::vector<double>* values) const {
        *values = numbers(origin, tensor(node), accepted().range);
    }
    void operator()(std::vector<std::size_t>* values) const {
        *values = accepted().is_shape ? shape_of(node) : counts(origin, shape_of(node), accepted());
    }
    void operator()(std::vector<std::string>* texts) const {
        texts->clear();
        for (const JsonNode& item : items()) texts->push_back(text_of(item));
    }
    void operator()(std::vector<Tensor>* list) const {
        list->clear();
        for (const JsonNode& item : items()) {
            list->push_back(one_vector(item.where(), tensor(item)));
        }
    }
    void operator()(std::vector<evidence::Record>* records) const {
        records->clear();
        for (const JsonNode& item : items()) {
            if (!item.is(JsonKind::object)) throw item.refusal("an object");
            evidence::Record record;
            for (const auto& [key, value] : item.members()) {
                const bool tensor_like = value.is(JsonKind::array) || value.find("shape");
                if (tensor_like) {
                    record.add(key, tensor(value));
                } else {
                    record.add(key, number_of(value));
                }
            }
            records->push_back(std::move(record));
        }
    }

  private:
    std::vector<JsonNode> items() const {
        if (!node.is(JsonKind::array)) throw node.refusal("an array");
        return node.items();
    }
};

}  // namespace

void set_from_words(const Input& input, const std::vector<std::string>& words,
                    std::size_t max_elements) {
    std::visit(FromOption{input, input.option(), words, max_elements}, input.target);
}

void set_from_json(const Input& input, const std::string& origin, const JsonNode& node,
                   const std::optional<tensor::Shape>& shape, std::size_t max_elements) {
    std::visit(FromJson{input, origin, node, shape, max_elements}, input.target);
}

}  // namespace rmsnorm::cli
