#include "pages/explore/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "numeric/decimal.hpp"

namespace rmsnorm::pages {
namespace {

using evidence::Input;
using evidence::InputRejection;
using tensor::Tensor;

// Sets one input from the word behind its option.
struct Reader {
    const Input& input;
    std::string_view word;

    [[noreturn]] void refuse(const char* accepted) const { refuse(word, accepted); }
    [[noreturn]] void refuse(std::string_view found, const char* accepted,
                             const std::string& place = "") const {
        throw InputRejection({std::string(input.key)},
                             input.option() + ": " + place + "found \"" + std::string(found) + "\"",
                             accepted);
    }

    double number(std::string_view text) const {
        const auto value = numeric::parse_decimal(text);
        if (!value) refuse("decimal numbers such as 0.25 or 1e-5, with commas between them");
        if (!within(*value, input.accepted.range)) refuse(described(input.accepted.range).c_str());
        return *value;
    }

    std::vector<double> numbers() const {
        std::vector<double> values;
        for (const std::string_view part : split(word, ',')) values.push_back(number(part));
        return values;
    }

    float narrowed(double wide, const std::string& place = "") const {
        const auto value = static_cast<float>(wide);
        if (std::isinf(value)) {
            refuse(numeric::shortest(wide),
                   "magnitudes that binary32 can hold, up to 3.4028234663852886e38", place);
        }
        return value;
    }

    void operator()(double* value) const { *value = number(word); }
    void operator()(float* value) const { *value = narrowed(number(word)); }
    void operator()(Tensor* values) const { *values = Tensor::vector(numbers()); }
    void operator()(std::vector<float>* values) const {
        values->clear();
        for (const double wide : numbers()) {
            const std::string place = "element " + std::to_string(values->size() + 1) + ": ";
            values->push_back(narrowed(wide, place));
        }
    }
    void operator()(std::vector<double>* values) const { *values = numbers(); }
    void operator()(std::vector<std::size_t>* counts) const {
        counts->clear();
        for (const double value : numbers()) {
            const bool whole = value >= static_cast<double>(input.accepted.least) &&
                               value <= 10000 && value == std::floor(value);
            if (!whole) refuse("whole numbers, as the program takes them");
            counts->push_back(static_cast<std::size_t>(value));
        }
    }
    void operator()(std::vector<Tensor>* values) const { *values = {Tensor::vector(numbers())}; }
    template <class Other>
    void operator()(Other*) const {
        refuse("no such option in the explorer");
    }
};

}  // namespace

Words split(std::string_view text, char separator) {
    Words parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

void read_inputs(std::vector<Input>& inputs, const Words& words) {
    for (const std::string_view word : words) {
        const std::size_t end = std::min(word.find('='), word.size());
        const auto input = std::find_if(inputs.begin(), inputs.end(), [&](const Input& one) {
            return one.option() == word.substr(0, end);
        });
        if (input == inputs.end() || end == word.size()) {
            throw InputRejection({}, "found " + std::string(word),
                                 "options of the experiment, such as --epsilon=1e-5");
        }
        std::visit(Reader{*input, word.substr(end + 1)}, input->target);
        input->given = true;
    }
}

}  // namespace rmsnorm::pages
